/* SPDX-License-Identifier: BSD-3-Clause
 *
 * log: see log.h. Keeps errno, so that a trace may stand between a system call and the look at its error.
 */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"

#define LINE_MAX_BYTES 1024 /* below PIPE_BUF: a pipe takes the line whole */

unsigned hws_trace_mask;

static int own_rank = -1;

static const char *const names[HWS_N_FOLDERS] = {
    [HWS_FOLDER_base] = "base",         [HWS_FOLDER_wire] = "wire",   [HWS_FOLDER_frag] = "frag",
    [HWS_FOLDER_striping] = "striping", [HWS_FOLDER_match] = "match", [HWS_FOLDER_reactor] = "reactor",
    [HWS_FOLDER_link] = "link",         [HWS_FOLDER_peer] = "peer",   [HWS_FOLDER_core] = "core",
    [HWS_FOLDER_coll] = "coll",         [HWS_FOLDER_mpi] = "mpi",     [HWS_FOLDER_launch] = "launch",
    [HWS_FOLDER_mpirun] = "mpirun",
};

static unsigned mask_of(const char *name, size_t len)
{
    if (len == 3 && memcmp(name, "all", 3) == 0)
        return (1u << HWS_N_FOLDERS) - 1;
    for (unsigned i = 0; i < HWS_N_FOLDERS; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return 1u << i;
    return 0;
}

static void write_line(const char *folder, const char *fmt, va_list ap)
{
    int saved = errno;
    char line[LINE_MAX_BYTES];
    int n = own_rank < 0 ? snprintf(line, sizeof line, "hawser") : snprintf(line, sizeof line, "hawser[%d]", own_rank);
    n += snprintf(line + n, sizeof line - (size_t)n, folder ? " %s: " : ": ", folder);
    int k = vsnprintf(line + n, sizeof line - (size_t)n, fmt, ap);
    size_t len = (size_t)(n + (k > 0 ? k : 0));
    if (len > sizeof line - 1)
        len = sizeof line - 1;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 127)
            line[i] = '?';
    line[len] = '\n'; /* in place of the NUL */
    ssize_t written = write(STDERR_FILENO, line, len + 1);
    (void)written; /* there is nobody to tell */
    errno = saved;
}

int hws_log_init(const char *folders, int rank, char *err, size_t err_len)
{
    unsigned mask = 0;
    for (const char *at = folders; *at;) {
        size_t len = strcspn(at, ",");
        unsigned bit = mask_of(at, len);
        if (!bit) {
            snprintf(err, err_len, "-trace (HAWSER_TRACE): '%.*s' is neither a folder nor all", (int)len, at);
            return HWS_EINVAL;
        }
        mask |= bit;
        at += len + (at[len] == ',');
    }
    hws_trace_mask = mask;
    own_rank = rank;
    return HWS_OK;
}

void hws_log_set(const char *folders)
{
    unsigned mask = 0;
    for (const char *at = folders; *at;) {
        size_t len = strcspn(at, ",");
        mask |= mask_of(at, len);
        at += len + (at[len] == ',');
    }
    hws_trace_mask = mask;
}

void hws_trace_write(enum hws_folder folder, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_line(names[folder], fmt, ap);
    va_end(ap);
}

void hws_warn(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_line(NULL, fmt, ap);
    va_end(ap);
}
