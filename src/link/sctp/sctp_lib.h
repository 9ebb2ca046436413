/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_lib: the calls of libsctp, which is loaded when the SCTP transport is chosen, not by every rank of every job.
 */
#ifndef HWS_LINK_SCTP_LIB_H
#define HWS_LINK_SCTP_LIB_H

#include <netinet/in.h>
#include <netinet/sctp.h>
#include <stddef.h>

#define HWS_SCTP_LIB "libsctp.so.1" /* the name that lksctp-tools have had since 1.0 */

struct hws_sctp_lib {
    __typeof__(&sctp_bindx) bindx;
    __typeof__(&sctp_connectx) connectx;
    __typeof__(&sctp_recvv) recvv;
    __typeof__(&sctp_getpaddrs) getpaddrs;
    __typeof__(&sctp_freepaddrs) freepaddrs;
};

extern struct hws_sctp_lib hws_sctp_lib; /* valid after hws_sctp_lib_load() */

/* Load the library called soname (HWS_SCTP_LIB, but for tests) once; it stays loaded. HWS_ESYS: no such library, or one
 * that has not all of these calls; err says what to do. */
int hws_sctp_lib_load(const char *soname, char *err, size_t err_len);

#endif
