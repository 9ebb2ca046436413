/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fail: the sentence about the last failure of each thread.
 */
#include "core/object/fail.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local struct {
    int cls;
    char text[MPI_MAX_ERROR_STRING];
} last; /* cls MPI_SUCCESS: no sentence since the last report */

int hws_fail(int cls, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(last.text, sizeof last.text, fmt, ap);
    va_end(ap);
    last.cls = cls;
    return cls;
}

static int class_of(enum hws_err err)
{
    switch (err) {
    case HWS_OK:
        return MPI_SUCCESS;
    case HWS_ETRUNCATE:
        return MPI_ERR_TRUNCATE;
    case HWS_ENOMEM:
        return MPI_ERR_NO_MEM;
    case HWS_EINVAL:
        return MPI_ERR_ARG;
    case HWS_ECLOSED:
    case HWS_EPEERDEAD:
        return MPI_ERR_PROC_ABORTED;
    default:
        return MPI_ERR_OTHER;
    }
}

int hws_fail_err(enum hws_err err, const char *text)
{
    if (err == HWS_OK)
        return MPI_SUCCESS;
    return hws_fail(class_of(err), "%s", text && *text ? text : hws_err_text(err));
}

const char *hws_fail_sentence(int cls)
{
    return last.cls != MPI_SUCCESS && last.cls == cls ? last.text : NULL;
}

void hws_fail_drop(void)
{
    last.cls = MPI_SUCCESS;
}
