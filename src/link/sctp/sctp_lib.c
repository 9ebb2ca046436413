/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_lib: loads libsctp. It has no state of its own, so nothing is ever unloaded.
 */
#include "link/sctp/sctp_lib.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"

struct hws_sctp_lib hws_sctp_lib;

/* dlsym() finds the oldest sctp_connectx(), which takes no association's id; the version is the one that the header
 * declares. */
static const struct {
    const char *name, *version; /* NULL: there has been only one */
    size_t offset;              /* in struct hws_sctp_lib */
} calls[] = {
    {"sctp_bindx", NULL, offsetof(struct hws_sctp_lib, bindx)},
    {"sctp_connectx", "VERS_3", offsetof(struct hws_sctp_lib, connectx)},
    {"sctp_recvv", NULL, offsetof(struct hws_sctp_lib, recvv)},
    {"sctp_getpaddrs", NULL, offsetof(struct hws_sctp_lib, getpaddrs)},
    {"sctp_freepaddrs", NULL, offsetof(struct hws_sctp_lib, freepaddrs)},
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
        const char *name = calls[i].name, *version = calls[i].version;
        void *call = version ? dlvsym(handle, name, version) : dlsym(handle, name);
        if (!call) {
            snprintf(err, err_len, "%s has no %s(): a newer one is needed; use -transport tcp", soname, name);
            dlclose(handle);
            return HWS_ESYS;
        }
        memcpy((char *)&lib + calls[i].offset, &call,
               sizeof call); /* POSIX, dlsym: an object pointer that is a function's */
    }
    hws_sctp_lib = lib;
    return HWS_OK;
}
