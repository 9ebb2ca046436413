/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype: types behind MPI_Datatype, and the engine that packs and unpacks from any byte offset.
 */
#ifndef HWS_CORE_DATATYPE_H
#define HWS_CORE_DATATYPE_H

#include "core/object/object.h"
#include "peer/ops.h"

struct hws_attrs;
struct hws_type_tree; /* how it was constructed: for get_envelope/get_contents; NULL: a named predefined type */
struct hws_type_flat; /* where its bytes lie: few strided loops */
struct hws_sig;       /* its sequence of basic types, for elements and external32 */

/* Machine representation of a predefined type: what the kernels of ops are chosen by. */
enum hws_basic {
    HWS_BASIC_NONE, /* mixed, or nothing to compute with (MPI_PACKED, MPI_WCHAR, MPI_CHARACTER) */
    HWS_BASIC_I8,
    HWS_BASIC_I16,
    HWS_BASIC_I32,
    HWS_BASIC_I64,
    HWS_BASIC_I128,
    HWS_BASIC_U8,
    HWS_BASIC_U16,
    HWS_BASIC_U32,
    HWS_BASIC_U64,
    HWS_BASIC_F16,
    HWS_BASIC_F32,
    HWS_BASIC_F64,
    HWS_BASIC_FLONG,
    HWS_BASIC_F128,
    HWS_BASIC_C16,
    HWS_BASIC_C32,
    HWS_BASIC_C64,
    HWS_BASIC_CLONG,
    HWS_BASIC_C128, /* complex: a pair of F16.. */
    HWS_BASIC_L8,
    HWS_BASIC_L16,
    HWS_BASIC_L32,
    HWS_BASIC_L64,
    HWS_BASIC_L128, /* logical: 0 is false */
    HWS_BASIC_BYTE,
    HWS_BASIC_FLOAT_INT,
    HWS_BASIC_DOUBLE_INT,
    HWS_BASIC_LONG_INT,
    HWS_BASIC_2INT,
    HWS_BASIC_SHORT_INT,
    HWS_BASIC_LONG_DOUBLE_INT,
    HWS_BASIC_2REAL,
    HWS_BASIC_2DOUBLE,
    HWS_BASIC_VALUE_INDEX, /* an unnamed pair (MPI_Type_get_value_index): its parts are tree->types */
    HWS_BASIC_N
};

/* What a predefined type is in the standard's tables of operations (MPI 5.0 section 6.9.2). */
enum hws_type_class {
    HWS_CLASS_NONE, /* no predefined operation is defined on it */
    HWS_CLASS_C_INTEGER,
    HWS_CLASS_F_INTEGER,
    HWS_CLASS_FLOAT,
    HWS_CLASS_LOGICAL,
    HWS_CLASS_COMPLEX,
    HWS_CLASS_BYTE,
    HWS_CLASS_MULTI, /* MPI_AINT, MPI_COUNT, MPI_OFFSET */
    HWS_CLASS_CHAR,  /* MPI_CHAR, beyond the standard */
    HWS_CLASS_PAIR   /* of MPI_MINLOC and MPI_MAXLOC */
};

struct hws_type {
    struct hws_object obj;
    struct hws_layout layout;       /* for the engine; container_of leads back here */
    MPI_Count size;                 /* bytes of data in one element */
    MPI_Count lb, extent;           /* bytes */
    MPI_Count true_lb, true_extent; /* bytes */
    bool dense;                     /* n elements are one run of n*size bytes beginning at true_lb */
    bool solid;                     /* one element is one run of size bytes beginning at true_lb */
    bool committed;
    bool marked;       /* lb and ub were set by resized, here or in a part (MPI 5.0 section 5.1.6) */
    bool too_large;    /* a quantity overflowed MPI_Count: reported as MPI_UNDEFINED */
    uint8_t basic;     /* enum hws_basic of a predefined type, or of the single basic type it consists of;
                          HWS_BASIC_NONE when mixed */
    uint8_t op_class;  /* enum hws_type_class of a predefined type (f90 types and dups too); else NONE */
    uint8_t align;     /* bytes, power of two: the strictest of its basic types */
    uint8_t ext_bytes; /* predefined: length in external32 (MPI 5.0 section 14.5.2); else 0 */
    int combiner;
    struct hws_type_tree *tree;
    struct hws_type_flat *flat;
    struct hws_sig *sig; /* NULL: no basic type at all */
    struct hws_attrs *attrs;
    int32_t handles; /* references that the user has: the last MPI_Type_free deletes the attributes */
    char name[MPI_MAX_OBJECT_NAME];
};

extern struct hws_type *hws_types_builtin[512]; /* by (handle & 0x1ff); NULL where the ABI has no type */

/* The object of a handle that is none of the builtin ones; NULL if it is none. For hws_type_of(). */
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
/* Frees it with its last reference; NULL and predefined types allowed. */
void hws_type_drop(struct hws_type *t);

/* The engine's view of count elements at buf. Overflow of count*size was excluded by the caller's check. */
static inline struct hws_data hws_type_data(const struct hws_type *t, const void *buf, MPI_Count count)
{
    struct hws_data d;
    bool run = t->dense || (t->solid && count == 1);
    d.base = (void *)((uintptr_t)buf + (run ? (uintptr_t)t->true_lb : 0)); /* no pointer: buf may be MPI_BOTTOM */
    d.len_bytes = (uint64_t)(t->size * count);
    d.layout = run ? NULL : &t->layout;
    return d;
}

/* Copies between n bytes of the packed stream, from byte `offset` on, and the typed buffer. */
void hws_type_pack(const struct hws_type *t, const void *base, uint64_t offset, void *dst, size_t n);
void hws_type_unpack(const struct hws_type *t, void *base, uint64_t offset, const void *src, size_t n);

/* Names the memory of the same bytes (struct hws_layout, runs). */
int hws_type_runs(const struct hws_type *t, const void *base, uint64_t offset, size_t n, struct iovec *iov, int max,
                  size_t *covered);

/* Local copy between two typed buffers, as a message to oneself would do (collectives' own part). The shorter packed
 * length wins; MPI_SUCCESS or MPI_ERR_TRUNCATE when the source is longer. */
int hws_type_copy(const void *src, MPI_Count n_src, const struct hws_type *t_src, void *dst, MPI_Count n_dst,
                  const struct hws_type *t_dst);

#endif
