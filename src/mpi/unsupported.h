/* SPDX-License-Identifier: BSD-3-Clause
 *
 * unsupported: the list of functions that may be unsupported, for hawser-info. A row is unsupported when both functions
 * are the same one.
 */
#ifndef HWS_MPI_UNSUPPORTED_H
#define HWS_MPI_UNSUPPORTED_H

typedef void (*hws_any_fn)(void);

struct hws_unsupported_row {
    const char *name;
    hws_any_fn bound, unsupported;
};

extern const struct hws_unsupported_row hws_unsupported_table[];
extern const int hws_unsupported_n;

#endif
