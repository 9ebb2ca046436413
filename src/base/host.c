/* SPDX-License-Identifier: BSD-3-Clause
 *
 * host: the kernel's boot id and the host's name, hashed.
 */
#include "base/host.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static uint64_t mix(uint64_t h, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3ull; /* FNV-1a, 64 bits */
    return h;
}

uint64_t hws_host_id(void)
{
    uint64_t h = 0xcbf29ce484222325ull;
    char text[256] = "";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t n = read(fd, text, sizeof text);
        h = mix(h, text, n > 0 ? (size_t)n : 0);
        close(fd);
    }
    if (gethostname(text, sizeof text) == 0)
        h = mix(h, text, strnlen(text, sizeof text));
    return h;
}
