/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype: types behind MPI_Datatype, and the engine that packs and unpacks from any byte offset.
 */
#ifndef HWS_CORE_DATATYPE_H
#define HWS_CORE_DATATYPE_H

#include "core/object.h"
#include "peer/engine.h"

struct hws_attrs;
struct hws_type_tree;   /* how it was constructed: for get_envelope/get_contents */
struct hws_type_flat;   /* what commit made of it: few strided loops */

struct hws_type {
    struct hws_object obj;
    struct hws_layout layout;       /* for the engine; container_of leads back here */
    MPI_Count size;                 /* bytes of data in one element */
    MPI_Count lb, extent;           /* bytes */
    MPI_Count true_lb, true_extent; /* bytes */
    bool dense;                     /* n elements are one run of n*size bytes beginning at true_lb */
    bool committed;
    bool too_large;                 /* a quantity overflowed MPI_Count: reported as MPI_UNDEFINED */
    uint8_t basic;                  /* enum hws_basic of a predefined type, or of the single basic type it consists of;
                                       HWS_BASIC_NONE when mixed */
    int combiner;
    struct hws_type_tree *tree;
    struct hws_type_flat *flat;
    struct hws_attrs *attrs;
    char name[MPI_MAX_OBJECT_NAME];
};

extern struct hws_type *hws_types_builtin[512]; /* by (handle & 0x1ff); NULL where the ABI has no type */

struct hws_type *hws_type_of_dynamic(MPI_Datatype h);

/* The object of a handle; NULL if it is none (MPI_DATATYPE_NULL too). */
static inline struct hws_type *hws_type_of(MPI_Datatype h)
{
    uintptr_t v = (uintptr_t)h;
    return (v >> 9) == 1 ? hws_types_builtin[v & 0x1ff] : hws_type_of_dynamic(h);
}

static inline MPI_Datatype hws_type_handle(struct hws_type *t)
{
    return (MPI_Datatype)hws_object_handle(&t->obj);
}

static inline void hws_type_hold(struct hws_type *t)
{
    if (!t->obj.handle)
        hws_object_hold(&t->obj);
}
void hws_type_drop(struct hws_type *t);

/* The engine's view of count elements at buf. Overflow of count*size was excluded by the caller's check. */
static inline struct hws_data hws_type_data(const struct hws_type *t, const void *buf, MPI_Count count)
{
    struct hws_data d;
    d.base = t->dense ? (char *)(uintptr_t)buf + t->true_lb : (void *)(uintptr_t)buf;
    d.len_bytes = (uint64_t)(t->size * count);
    d.layout = t->dense ? NULL : &t->layout;
    return d;
}

/* Copies between n bytes of the packed stream, from byte `offset` on, and the typed buffer. */
void hws_type_pack(const struct hws_type *t, const void *base, uint64_t offset, void *dst, size_t n);
void hws_type_unpack(const struct hws_type *t, void *base, uint64_t offset, const void *src, size_t n);

/* Local copy between two typed buffers, as a message to oneself would do (collectives' own part). The shorter packed
 * length wins; MPI_SUCCESS or MPI_ERR_TRUNCATE when the source is longer. */
int hws_type_copy(const void *src, MPI_Count n_src, const struct hws_type *t_src, void *dst, MPI_Count n_dst,
                  const struct hws_type *t_dst);

#endif
