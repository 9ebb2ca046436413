/* SPDX-License-Identifier: BSD-3-Clause
 *
 * host: the kernel's boot id and the host's name, hashed.
 */
#include "base/host.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"

uint64_t hws_host_id(void)
{
    uint64_t h = HWS_HASH_START;
    char text[256];
    hws_file_text("/proc/sys/kernel/random/boot_id", text, sizeof text);
    h = hws_hash(h, text, strlen(text));
    if (gethostname(text, sizeof text) == 0)
        h = hws_hash(h, text, strnlen(text, sizeof text));
    return h;
}
