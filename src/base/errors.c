/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errors: texts of the internal codes and the one translation from errno.
 */
#include "base/errors.h"

#include <errno.h>

const char *hws_err_text(enum hws_err err)
{
    switch (err) {
#define HWS_ERR_CASE(name, value, text)                                                                                \
    case HWS_##name:                                                                                                   \
        return text;
        HWS_ERR_LIST(HWS_ERR_CASE)
#undef HWS_ERR_CASE
    }
    return "unknown error";
}

enum hws_err hws_err_from_errno(int errnum)
{
    switch (errnum) {
    case 0:
        return HWS_OK;
    case EAGAIN:
    case EINTR:
    case EINPROGRESS:
        return HWS_EAGAIN;
    case ENOMEM:
    case ENOBUFS:
        return HWS_ENOMEM;
    case EMFILE:
    case ENFILE:
        return HWS_ENOFILES;
    case EPIPE:
    case ECONNRESET:
    case ECONNABORTED:
        return HWS_ECLOSED;
    case ETIMEDOUT:
        return HWS_ETIMEDOUT;
    case ECONNREFUSED:
        return HWS_EREFUSED;
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
    case EADDRNOTAVAIL:
        return HWS_EUNREACHABLE;
    case EINVAL:
        return HWS_EINVAL;
    default:
        return HWS_ESYS;
    }
}
