/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errors: the codes that folders below core return. One list holds name and text; core/object/fail.c maps a code to the
 * MPI error class. Zero is success, all others are negative, so a function may return a length or an error.
 */
#ifndef HWS_BASE_ERRORS_H
#define HWS_BASE_ERRORS_H

#define HWS_ERR_LIST(X)                                                                                                \
    X(OK, 0, "success")                                                                                                \
    X(EAGAIN, -1, "would block")                                                                                       \
    X(ENOMEM, -2, "out of memory")                                                                                     \
    X(EINVAL, -3, "invalid value")                                                                                     \
    X(ECLOSED, -4, "connection closed by the peer")                                                                    \
    X(EUNREACHABLE, -5, "peer cannot be reached")                                                                      \
    X(EPROTO, -6, "peer broke the protocol")                                                                           \
    X(EAUTH, -7, "peer failed to authenticate")                                                                        \
    X(ETIMEDOUT, -8, "timed out")                                                                                      \
    X(ETRUNCATE, -9, "message longer than the receive buffer")                                                         \
    X(EPEERDEAD, -10, "peer process died")                                                                             \
    X(ESYS, -11, "system call failed")                                                                                 \
    X(ENOFILES, -12, "out of file descriptors")                                                                        \
    X(EPMI, -13, "launcher connection failed")                                                                         \
    X(ECANCELLED, -14, "cancelled")                                                                                    \
    X(ECORRUPT, -15, "data was damaged on the way")                                                                    \
    X(EREFUSED, -16, "connection refused")

#define HWS_ERR_ENUM(name, value, text) HWS_##name = value,
enum hws_err { HWS_ERR_LIST(HWS_ERR_ENUM) };
#undef HWS_ERR_ENUM

/* The text of a code, for messages. Never NULL, static. */
const char *hws_err_text(enum hws_err err);

/* The code for an errno value read right after a failed system call. */
enum hws_err hws_err_from_errno(int errnum);

#endif
