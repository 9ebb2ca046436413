/* SPDX-License-Identifier: BSD-3-Clause
 *
 * host: the kernel's boot id and the host's name, hashed.
 */
#include "base/host.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

uint64_t hws_host_id(void)
{
    uint64_t h = HWS_HASH_START;
    char text[256] = "";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t n = read(fd, text, sizeof text);
        h = hws_hash(h, text, n > 0 ? (size_t)n : 0);
        close(fd);
    }
    if (gethostname(text, sizeof text) == 0)
        h = hws_hash(h, text, strnlen(text, sizeof text));
    return h;
}
