/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_elems: types as sequences of basic elements: counting them in received bytes (MPI 5.0 section 5.1.11) and
 * the external32 representation (section 14.5.2).
 */
#ifndef HWS_CORE_DATATYPE_ELEMS_H
#define HWS_CORE_DATATYPE_ELEMS_H

#include "core/type/datatype.h"

/* Basic elements in `bytes` of packed data; -1 when the last one is cut. A type of size 0 has 0 elements in 0 bytes. */
MPI_Count hws_type_elements(const struct hws_type *t, MPI_Count bytes);

/* Bytes of the first `elems` basic elements. False: too many, or the type has none. */
bool hws_type_elements_bytes(const struct hws_type *t, MPI_Count elems, MPI_Count *bytes);

/* Bytes of one element of t in external32. */
MPI_Count hws_type_external_size(const struct hws_type *t);

/* Converts count elements between memory and external32. MPI_ERR_CONVERSION when a value does not fit into its length
 * there (MPI_LONG and MPI_WCHAR are shorter); the rest is converted all the same. */
int hws_type_pack_external(const struct hws_type *t, const void *base, MPI_Count count, void *dst);
int hws_type_unpack_external(const struct hws_type *t, void *base, MPI_Count count, const void *src);

#endif
