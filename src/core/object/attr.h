/* SPDX-License-Identifier: BSD-3-Clause
 *
 * attr: cached attributes of communicators, datatypes and windows (MPI 5.0 section 7.7), one code for the three. An
 * object keeps a pointer that is NULL until its first attribute. Callbacks of users run without any lock held.
 */
#ifndef HWS_CORE_ATTR_H
#define HWS_CORE_ATTR_H

#include "core/object/object.h"

struct hws_attrs;

typedef void hws_attr_fn(void); /* a callback; cast back by the kind of object before the call */

/* kind: HWS_KIND_COMM, HWS_KIND_TYPE or HWS_KIND_WIN. copy and del may be the constants of the ABI (..._NULL_COPY_FN 0,
 * ..._DUP_FN 1, ..._NULL_DELETE_FN 0). MPI class. */
int hws_keyval_create(enum hws_kind kind, hws_attr_fn *copy, hws_attr_fn *del, void *extra, int *keyval);

/* The key dies with its last attribute (MPI 5.0 section 7.7.2). *keyval becomes MPI_KEYVAL_INVALID. */
int hws_keyval_free(enum hws_kind kind, int *keyval);

/* `handle` is the MPI handle that callbacks get, *attrs the object's list. A former value is deleted first. MPI class
 * or what a callback returned. */
int hws_attr_set(struct hws_attrs **attrs, enum hws_kind kind, void *handle, int keyval, void *value);
int hws_attr_get(struct hws_attrs *attrs, enum hws_kind kind, int keyval, void **value, int *found);
int hws_attr_delete(struct hws_attrs **attrs, enum hws_kind kind, void *handle, int keyval);

/* For dup: calls the copy functions in the order in which the attributes were set. On failure *to holds what was copied
 * so far. handle: of the old object. */
int hws_attrs_copy(const struct hws_attrs *from, enum hws_kind kind, void *handle, struct hws_attrs **to);

/* For free: deletes all, the newest first (as MPI 5.0 section 11.2.4 asks for MPI_COMM_SELF). When a callback fails,
 * its attribute and the older ones stay and the object must not be freed. */
int hws_attrs_free(struct hws_attrs **attrs, enum hws_kind kind, void *handle);

/* For objects that die without a user's call: forgets all without callbacks. */
void hws_attrs_forget(struct hws_attrs **attrs);

#endif
