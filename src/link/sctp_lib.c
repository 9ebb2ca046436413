/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_lib: loads libsctp. It has no state of its own, so nothing is ever unloaded.
 */
#include "link/sctp_lib.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"

struct hws_sctp_lib hws_sctp_lib;

static const struct {
    const char *name;
    size_t offset; /* in struct hws_sctp_lib */
} calls[] = {
    {"sctp_bindx", offsetof(struct hws_sctp_lib, bindx)},
    {"sctp_connectx", offsetof(struct hws_sctp_lib, connectx)},
    {"sctp_recvv", offsetof(struct hws_sctp_lib, recvv)},
    {"sctp_getpaddrs", offsetof(struct hws_sctp_lib, getpaddrs)},
    {"sctp_freepaddrs", offsetof(struct hws_sctp_lib, freepaddrs)},
};

int hws_sctp_lib_load(const char *soname, char *err, size_t err_len)
{
    struct hws_sctp_lib lib = {.bindx = NULL};
    if (hws_sctp_lib.bindx)
        return HWS_OK;
    void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(err, err_len, "%s not found (Debian: libsctp1); use -transport tcp (%s)", soname, dlerror());
        return HWS_ESYS;
    }
    for (size_t i = 0; i < HWS_ARRAY_LEN(calls); i++) {
        void *call = dlsym(handle, calls[i].name);
        if (!call) {
            snprintf(err, err_len, "%s has no %s(): a newer one is needed; use -transport tcp", soname, calls[i].name);
            dlclose(handle);
            return HWS_ESYS;
        }
        memcpy((char *)&lib + calls[i].offset, &call, sizeof call); /* POSIX, dlsym: an object pointer that is a function's */
    }
    hws_sctp_lib = lib;
    return HWS_OK;
}
