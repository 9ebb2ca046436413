/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype: life of types, and the copy between two typed buffers. A type is immutable after construction but for its
 * name, attributes and commit, so the engine reads it without a lock.
 */
#include "core/type/datatype.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "core/object/attr.h"
#include "core/object/fail.h"
#include "core/type/datatype_make.h"
#include "core/type/datatype_priv.h"

#define COPY_CHUNK 16384 /* bytes on the stack when both sides have holes */
#define MAX_SPARES 64    /* memory of freed types, some 20 KiB */

/* Freed types, the last one on top, still in the cache. A handle that points to one is known to be freed, and stays
 * readable. Never given back, as handles may be looked at until the process ends. */
static struct hws_type *spares[MAX_SPARES];
static unsigned n_spares;
static pthread_mutex_t spares_mutex = PTHREAD_MUTEX_INITIALIZER;

static const struct hws_type *type_of_layout(const struct hws_layout *l)
{
    return hws_container_of(l, const struct hws_type, layout);
}

static void layout_pack(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t n)
{
    hws_type_pack(type_of_layout(l), base, offset, dst, n);
}

static void layout_unpack(const struct hws_layout *l, void *base, uint64_t offset, const void *src, size_t n)
{
    hws_type_unpack(type_of_layout(l), base, offset, src, n);
}

static int layout_runs(const struct hws_layout *l, const void *base, uint64_t offset, size_t n, struct iovec *iov,
                       int max, size_t *covered)
{
    return hws_type_runs(type_of_layout(l), base, offset, n, iov, max, covered);
}

static struct hws_type *take_spare(void)
{
    pthread_mutex_lock(&spares_mutex);
    struct hws_type *t = n_spares > 0 ? spares[--n_spares] : NULL;
    pthread_mutex_unlock(&spares_mutex);
    return t;
}

static bool keep_spare(struct hws_type *t)
{
    pthread_mutex_lock(&spares_mutex);
    bool has_room = n_spares < MAX_SPARES;
    if (has_room)
        spares[n_spares++] = t;
    pthread_mutex_unlock(&spares_mutex);
    return has_room;
}

struct hws_type *hws_type_alloc(void)
{
    struct hws_type *t = take_spare();
    if (!t && !(t = malloc(sizeof *t)))
        return NULL;
    memset(t, 0, sizeof *t);
    hws_object_init(&t->obj, HWS_KIND_TYPE);
    t->handles = 1;
    t->layout.pack = layout_pack;
    t->layout.unpack = layout_unpack;
    return t;
}

void hws_type_set_flat(struct hws_type *t, struct hws_type_flat *flat)
{
    t->flat = flat;
    t->layout.runs = hws_piece_has_long_runs(&flat->one) ? layout_runs : NULL;
}

struct hws_type *hws_type_of_dynamic(MPI_Datatype h)
{
    return (struct hws_type *)(void *)hws_object_of(h, HWS_KIND_TYPE);
}

void hws_type_drop(struct hws_type *t)
{
    if (!t || t->obj.handle || !hws_object_unref(&t->obj))
        return;
    t->obj.kind = 0;
    hws_attrs_forget(&t->attrs);
    hws_tree_free(t->tree);
    hws_flat_free(t->flat);
    hws_sig_drop(t->sig);
    if (!keep_spare(t))
        free(t);
}

/* Both sides have holes: through a buffer. */
static void copy_buffered(struct hws_data from, const struct hws_type *t_src, struct hws_data to,
                          const struct hws_type *t_dst, uint64_t n)
{
    char buf[COPY_CHUNK];
    for (uint64_t done = 0; done < n;) {
        size_t k = n - done < sizeof buf ? (size_t)(n - done) : sizeof buf;
        hws_type_pack(t_src, from.base, done, buf, k);
        hws_type_unpack(t_dst, to.base, done, buf, k);
        done += k;
    }
}

int hws_type_copy(const void *src, MPI_Count n_src, const struct hws_type *t_src, void *dst, MPI_Count n_dst,
                  const struct hws_type *t_dst)
{
    struct hws_data from = hws_type_data(t_src, src, n_src), to = hws_type_data(t_dst, dst, n_dst);
    uint64_t n = from.len_bytes < to.len_bytes ? from.len_bytes : to.len_bytes;
    if (n == 0)
        ;
    else if (!from.layout && !to.layout)
        memmove(to.base, from.base, n);
    else if (!from.layout)
        hws_type_unpack(t_dst, to.base, 0, from.base, n);
    else if (!to.layout)
        hws_type_pack(t_src, from.base, 0, to.base, n);
    else
        copy_buffered(from, t_src, to, t_dst, n);
    if (from.len_bytes <= to.len_bytes)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_TRUNCATE, "message truncated: %llu bytes do not fit into %llu",
                    (unsigned long long)from.len_bytes, (unsigned long long)to.len_bytes);
}
