/* SPDX-License-Identifier: BSD-3-Clause
 *
 * object: what every object behind an MPI handle begins with. A handle is the object's address, or, for a predefined
 * object, the small constant of the ABI (../include/mpi.h; MPI 5.0 chapter 20). `hold` and `drop` count references;
 * the last drop calls the kind's own destructor.
 */
#ifndef HWS_CORE_OBJECT_H
#define HWS_CORE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

enum hws_kind {
    HWS_KIND_COMM = 0x48570001,
    HWS_KIND_GROUP,
    HWS_KIND_REQUEST,
    HWS_KIND_TYPE,
    HWS_KIND_OP,
    HWS_KIND_ERRHANDLER,
    HWS_KIND_INFO,
    HWS_KIND_MESSAGE,
    HWS_KIND_SESSION,
    HWS_KIND_WIN,
    HWS_KIND_FILE
};

struct hws_object {
    uint32_t kind;    /* enum hws_kind; 0 once freed */
    int32_t refs;     /* the handle is one reference */
    uintptr_t handle; /* constant of a predefined object; 0: the handle is the address */
};

#define HWS_HANDLE_IS_SMALL(h) ((uintptr_t)(h) < 4096) /* values that the ABI keeps for predefined handles */

static inline void hws_object_init(struct hws_object *o, enum hws_kind kind)
{
    o->kind = kind;
    o->refs = 1;
    o->handle = 0;
}

/* The handle of an object, to be cast to the MPI type. */
static inline void *hws_object_handle(struct hws_object *o)
{
    return o->handle ? (void *)o->handle : (void *)o;
}

static inline void hws_object_hold(struct hws_object *o)
{
    __atomic_add_fetch(&o->refs, 1, __ATOMIC_RELAXED);
}

/* True: that was the last reference, the caller frees. */
static inline bool hws_object_unref(struct hws_object *o)
{
    return __atomic_sub_fetch(&o->refs, 1, __ATOMIC_ACQ_REL) == 0;
}

/* The object behind a dynamic handle if it is of that kind, else NULL. Small values give NULL: each kind looks up its
 * own predefined ones first. */
static inline struct hws_object *hws_object_of(const void *handle, enum hws_kind kind)
{
    struct hws_object *o = (struct hws_object *)(uintptr_t)handle;
    if (HWS_HANDLE_IS_SMALL(handle) || ((uintptr_t)handle & 7) || o->kind != (uint32_t)kind)
        return NULL;
    return o;
}

#endif
