/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file: see the header. By one read: what the kernel makes up on the way is not the same at the next.
 */
#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *hws_file_text(const char *path, char *text, size_t len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, len - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

char hws_process_state(int pid)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const char *name_end = strrchr(hws_file_text(path, text, sizeof text), ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}
