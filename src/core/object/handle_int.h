/* SPDX-License-Identifier: BSD-3-Clause
 *
 * handle_int: handles as integers, for languages whose handles are integers (MPI 5.0 section 19.3.4). A predefined
 * handle is its own small constant. Any other gets a number from HWS_HANDLE_INT_FIRST on when it is first asked for,
 * and an address keeps its number: a later object at the address of a freed one has the freed one's number, so the
 * table is as large as the most objects that were ever converted at different addresses.
 */
#ifndef HWS_CORE_HANDLE_INT_H
#define HWS_CORE_HANDLE_INT_H

enum { HWS_HANDLE_INT_FIRST = 4096 };

/* The number of a handle; -1 when there is no memory for another one. Any thread, at any time. */
int hws_handle_to_int(const void *handle);

/* The handle of a number; NULL for a number that hws_handle_to_int() did not give. */
void *hws_handle_from_int(int number);

#endif
