/* SPDX-License-Identifier: BSD-3-Clause
 *
 * suite: what every transport must do (link/link.h), as one suite that is linked with one backend for each of them. A
 * backend makes two places in this process that reach each other.
 */
#ifndef HWS_TESTS_LINK_SUITE_H
#define HWS_TESTS_LINK_SUITE_H

#include "link/link.h"

/* Opens both transports. */
void backend_open(struct hws_transport *out[2]);

/* Ends what backend_open() made besides the transports, which are gone by then. */
void backend_close(void);

/* Lets time pass: events are called from here only. */
void backend_step(void);

#endif
