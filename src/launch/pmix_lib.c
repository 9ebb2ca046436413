/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmix_lib: loads libpmix. It has threads of its own once a client is up, so it is never unloaded. It uses libevent,
 * and libev, which this library uses, has functions of libevent's names: libpmix has to find those of its own libraries
 * first (RTLD_DEEPBIND), and with them their malloc() and free(), whatever those of the program are.
 */
#include "launch/pmix_lib.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"

struct hws_pmix_lib hws_pmix_lib;

/* PMIx 4.2 for 64 bits; the same types in 3.x and 5.x. */
_Static_assert(sizeof(void *) != 8 || (sizeof(struct hws_pmix_proc) == 260 && sizeof(struct hws_pmix_value) == 32 &&
                                       sizeof(struct hws_pmix_info) == 552),
               "the ABI's sizes");

static const struct {
    const char *name;
    size_t offset; /* in struct hws_pmix_lib */
} calls[] = {
    {"PMIx_Init", offsetof(struct hws_pmix_lib, init)},
    {"PMIx_Finalize", offsetof(struct hws_pmix_lib, finalize)},
    {"PMIx_Abort", offsetof(struct hws_pmix_lib, abort)},
    {"PMIx_Put", offsetof(struct hws_pmix_lib, put)},
    {"PMIx_Commit", offsetof(struct hws_pmix_lib, commit)},
    {"PMIx_Fence_nb", offsetof(struct hws_pmix_lib, fence)},
    {"PMIx_Get", offsetof(struct hws_pmix_lib, get)},
    {"PMIx_Register_event_handler", offsetof(struct hws_pmix_lib, on_event)},
    {"PMIx_Error_string", offsetof(struct hws_pmix_lib, error_text)},
    {"free", offsetof(struct hws_pmix_lib, free_it)},
};

int hws_pmix_lib_load(const char *soname, char *err, size_t err_len)
{
    struct hws_pmix_lib lib = {.init = NULL};
    if (hws_pmix_lib.init)
        return HWS_OK;
    void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!handle) {
        snprintf(err, err_len, "%s cannot be loaded: install libpmix2, or name its folder in LD_LIBRARY_PATH (%.200s)",
                 soname, dlerror());
        return HWS_ESYS;
    }
    for (size_t i = 0; i < HWS_ARRAY_LEN(calls); i++) {
        void *call = dlsym(handle, calls[i].name);
        if (!call) {
            snprintf(err, err_len, "%s has no %s(): PMIx 3 or later is needed", soname, calls[i].name);
            dlclose(handle);
            return HWS_ESYS;
        }
        memcpy((char *)&lib + calls[i].offset, &call, sizeof call); /* POSIX, dlsym */
    }
    hws_pmix_lib = lib;
    return HWS_OK;
}
