/* SPDX-License-Identifier: BSD-3-Clause
 *
 * attr: what the attributes of communicators, datatypes and windows share.
 */
#ifndef HWS_MPI_ATTR_H
#define HWS_MPI_ATTR_H

#include "core/object/attr.h"

/* The end of MPI_Xxx_get_attr (MPI 5.0 section 7.7): *flag tells whether attrs has an attribute of this key, which is
 * then stored in *(void **)attribute_val. Both pointers are the user's and are checked. MPI class. */
int hws_give_attr(struct hws_attrs *attrs, enum hws_kind kind, int keyval, void *attribute_val, int *flag);

#endif
