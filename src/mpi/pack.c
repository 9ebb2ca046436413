/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pack: entry points of MPI 5.0 sections 5.2 and 5.3. The packed form is the packed stream itself; external32 is the
 * only canonical representation. Positions that do not fit the int forms cannot arise: they stay below the int sizes
 * given.
 */
#include "mpi/public.h"

#include <limits.h>
#include <string.h>

#include "core/type/datatype_elems.h"
#include "mpi/datatype_check.h"

/* One call: where the typed data is, and where the stream is. */
struct pack_args {
    const char *datarep; /* external32 forms only */
    const void *typed, *stream;
    const char *typed_arg, *stream_arg, *room_arg, *count_arg;
    MPI_Count count, room;
    MPI_Datatype datatype;
    MPI_Comm comm;
    bool external;
};

static int check_rep(const char *datarep)
{
    int rc = hws_check_ptr(datarep, "datarep");
    if (rc != MPI_SUCCESS || strcmp(datarep, "external32") == 0)
        return rc;
    return hws_fail(MPI_ERR_ARG, "invalid argument: datarep is \"%.64s\", only \"external32\" is defined", datarep);
}

static int check_where(const struct pack_args *a, struct hws_comm **c)
{
    if (!a->external)
        return hws_check_comm(a->comm, c);
    int rc = hws_check_up();
    return rc == MPI_SUCCESS ? check_rep(a->datarep) : rc;
}

/* Bytes that count elements take, MPI_ERR_COUNT when uncountable. */
static int stream_bytes(const struct pack_args *a, const struct hws_type *t, MPI_Count *bytes)
{
    MPI_Count native;
    if (!__builtin_mul_overflow(a->count, a->external ? hws_type_external_size(t) : t->size, bytes) &&
        !__builtin_mul_overflow(a->count, t->size, &native))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_COUNT, "invalid count: argument %s is %lld, the data would have 2^63 bytes or more",
                    a->count_arg, (long long)a->count);
}

static int check_room(const struct pack_args *a, MPI_Count position, MPI_Count bytes)
{
    if (a->room < 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: %s is %lld, it must not be negative", a->room_arg,
                        (long long)a->room);
    if (position < 0 || position > a->room)
        return hws_fail(MPI_ERR_ARG, "invalid argument: position is %lld, it must be 0 to %s, which is %lld",
                        (long long)position, a->room_arg, (long long)a->room);
    if (bytes > a->room - position)
        return hws_fail(MPI_ERR_TRUNCATE, "buffer too small: %lld bytes at position %lld, but %s is %lld",
                        (long long)bytes, (long long)position, a->room_arg, (long long)a->room);
    return bytes > 0 ? hws_check_ptr(a->stream, a->stream_arg) : MPI_SUCCESS;
}

static int check_pack(const struct pack_args *a, const MPI_Count *position, struct hws_comm **c, struct hws_type **t,
                      MPI_Count *bytes)
{
    int rc = check_where(a, c);
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(a->count, a->count_arg);
    if (rc == MPI_SUCCESS)
        rc = hws_check_type(a->datatype, "datatype", t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_buf(a->typed, a->count, *t, a->typed_arg);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(position, "position");
    if (rc == MPI_SUCCESS)
        rc = stream_bytes(a, *t, bytes);
    return rc == MPI_SUCCESS ? check_room(a, *position, *bytes) : rc;
}

/* Packs, or unpacks, and moves position on. position NULL: missing. */
static int pack_any(const char *fn, bool unpack, const struct pack_args *a, MPI_Count *position)
{
    struct hws_comm *c = NULL;
    struct hws_type *t = NULL;
    MPI_Count bytes = 0;
    int rc = check_pack(a, position, &c, &t, &bytes);
    if (rc != MPI_SUCCESS || bytes == 0)
        return hws_raise(c, fn, rc);
    char *stream = (char *)(uintptr_t)a->stream + *position;
    void *typed = (void *)(uintptr_t)a->typed;
    if (a->external)
        rc = unpack ? hws_type_unpack_external(t, typed, a->count, stream)
                    : hws_type_pack_external(t, typed, a->count, stream);
    else if (unpack)
        hws_type_unpack(t, typed, 0, stream, (size_t)bytes);
    else
        hws_type_pack(t, typed, 0, stream, (size_t)bytes);
    if (rc == MPI_SUCCESS)
        *position += bytes;
    return hws_raise(c, fn, rc);
}

static int pack_int(const char *fn, bool unpack, const struct pack_args *a, int *position)
{
    MPI_Count at = position ? *position : 0;
    int rc = pack_any(fn, unpack, a, position ? &at : NULL);
    if (rc == MPI_SUCCESS)
        *position = (int)at;
    return rc;
}

static int pack_aint(const char *fn, bool unpack, const struct pack_args *a, MPI_Aint *position)
{
    MPI_Count at = position ? *position : 0;
    int rc = pack_any(fn, unpack, a, position ? &at : NULL);
    if (rc == MPI_SUCCESS)
        *position = at;
    return rc;
}

static struct pack_args pack_args(const void *in, MPI_Count count, MPI_Datatype datatype, const void *out,
                                  MPI_Count room)
{
    return (struct pack_args){.typed = in,
                              .stream = out,
                              .count = count,
                              .datatype = datatype,
                              .room = room,
                              .typed_arg = "inbuf",
                              .stream_arg = "outbuf",
                              .room_arg = "outsize",
                              .count_arg = "incount"};
}

static struct pack_args unpack_args(const void *in, MPI_Count room, const void *out, MPI_Count count,
                                    MPI_Datatype datatype)
{
    return (struct pack_args){.typed = out,
                              .stream = in,
                              .count = count,
                              .datatype = datatype,
                              .room = room,
                              .typed_arg = "outbuf",
                              .stream_arg = "inbuf",
                              .room_arg = "insize",
                              .count_arg = "outcount"};
}

static struct pack_args external(struct pack_args a, const char *datarep)
{
    a.external = true;
    a.datarep = datarep;
    return a;
}

static struct pack_args on_comm(struct pack_args a, MPI_Comm comm)
{
    a.comm = comm;
    return a;
}

int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
              MPI_Comm comm)
{
    struct pack_args a = on_comm(pack_args(inbuf, incount, datatype, outbuf, outsize), comm);
    return pack_int("MPI_Pack", false, &a, position);
}
HWS_MPI(Pack)

int PMPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
                MPI_Count *position, MPI_Comm comm)
{
    struct pack_args a = on_comm(pack_args(inbuf, incount, datatype, outbuf, outsize), comm);
    return pack_any("MPI_Pack_c", false, &a, position);
}
HWS_MPI(Pack_c)

int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype,
                MPI_Comm comm)
{
    struct pack_args a = on_comm(unpack_args(inbuf, insize, outbuf, outcount, datatype), comm);
    return pack_int("MPI_Unpack", true, &a, position);
}
HWS_MPI(Unpack)

int PMPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                  MPI_Datatype datatype, MPI_Comm comm)
{
    struct pack_args a = on_comm(unpack_args(inbuf, insize, outbuf, outcount, datatype), comm);
    return pack_any("MPI_Unpack_c", true, &a, position);
}
HWS_MPI(Unpack_c)

int PMPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
                       MPI_Aint outsize, MPI_Aint *position)
{
    struct pack_args a = external(pack_args(inbuf, incount, datatype, outbuf, outsize), datarep);
    return pack_aint("MPI_Pack_external", false, &a, position);
}
HWS_MPI(Pack_external)

int PMPI_Pack_external_c(const char *datarep, const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
                         MPI_Count outsize, MPI_Count *position)
{
    struct pack_args a = external(pack_args(inbuf, incount, datatype, outbuf, outsize), datarep);
    return pack_any("MPI_Pack_external_c", false, &a, position);
}
HWS_MPI(Pack_external_c)

int PMPI_Unpack_external(const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf,
                         int outcount, MPI_Datatype datatype)
{
    struct pack_args a = external(unpack_args(inbuf, insize, outbuf, outcount, datatype), datarep);
    return pack_aint("MPI_Unpack_external", true, &a, position);
}
HWS_MPI(Unpack_external)

int PMPI_Unpack_external_c(const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
                           MPI_Count outcount, MPI_Datatype datatype)
{
    struct pack_args a = external(unpack_args(inbuf, insize, outbuf, outcount, datatype), datarep);
    return pack_any("MPI_Unpack_external_c", true, &a, position);
}
HWS_MPI(Unpack_external_c)

/* Size of the packed form; *size is MPI_UNDEFINED where it cannot be expressed. */
static int pack_size(const char *fn, const struct pack_args *a, const void *size_arg, MPI_Count *size)
{
    struct hws_comm *c = NULL;
    struct hws_type *t = NULL;
    int rc = check_where(a, &c);
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(a->count, "incount");
    if (rc == MPI_SUCCESS)
        rc = hws_check_type(a->datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(size_arg, "size");
    if (rc == MPI_SUCCESS && __builtin_mul_overflow(a->count, a->external ? hws_type_external_size(t) : t->size, size))
        *size = MPI_UNDEFINED;
    return hws_raise(c, fn, rc);
}

int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size)
{
    struct pack_args a = {.count = incount, .datatype = datatype, .comm = comm};
    MPI_Count n = 0;
    int rc = pack_size("MPI_Pack_size", &a, size, &n);
    if (rc == MPI_SUCCESS)
        *size = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}
HWS_MPI(Pack_size)

int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size)
{
    struct pack_args a = {.count = incount, .datatype = datatype, .comm = comm};
    return pack_size("MPI_Pack_size_c", &a, size, size);
}
HWS_MPI(Pack_size_c)

int PMPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size)
{
    struct pack_args a = {.count = incount, .datatype = datatype, .external = true, .datarep = datarep};
    MPI_Count n = 0;
    int rc = pack_size("MPI_Pack_external_size", &a, size, &n);
    if (rc == MPI_SUCCESS)
        *size = n;
    return rc;
}
HWS_MPI(Pack_external_size)

int PMPI_Pack_external_size_c(const char *datarep, MPI_Count incount, MPI_Datatype datatype, MPI_Count *size)
{
    struct pack_args a = {.count = incount, .datatype = datatype, .external = true, .datarep = datarep};
    return pack_size("MPI_Pack_external_size_c", &a, size, size);
}
HWS_MPI(Pack_external_size_c)
