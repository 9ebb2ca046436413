/* SPDX-License-Identifier: BSD-3-Clause
 *
 * quota: see the header. A line of /proc/self/cgroup is "0::PATH" (version 2) or "N:CONTROLLERS:PATH" (version 1). In a
 * container PATH may be the host's, which is not to be seen there; its own group is then the root of what is mounted.
 */
#include "base/quota.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* A version 1 controller's folder has its own name or that of the two which are mounted together. */
static const char *const folders_v1[] = {"cpu", "cpu,cpuacct"};
static const char *const folders_v2[] = {".", "unified"};

/* Microseconds in each period, as thousandths; -1 and "max" are no limit. */
static int milli(long long quota, long long period)
{
    if (quota <= 0 || period <= 0 || quota / period > INT_MAX / 1000)
        return 0;
    int m = (int)((double)quota / (double)period * 1000);
    return m > 0 ? m : 1;
}

static int quota_v2(const char *folder)
{
    char path[PATH_MAX], text[64];
    long long quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    return sscanf(hws_file_text(path, text, sizeof text), "%lld %lld", &quota, &period) == 2 ? milli(quota, period) : 0;
}

static int quota_v1(const char *folder)
{
    char path[PATH_MAX], text[64];
    long long quota, period;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (sscanf(hws_file_text(path, text, sizeof text), "%lld", &quota) != 1)
        return 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    return sscanf(hws_file_text(path, text, sizeof text), "%lld", &period) == 1 ? milli(quota, period) : 0;
}

static int less(int a, int b)
{
    return !a || (b && b < a) ? b : a;
}

/* From the group up to the root of the mount. */
static int least_above(const char *mount, const char *group, int (*quota)(const char *folder))
{
    char folder[PATH_MAX];
    int least = 0;
    size_t top = strlen(mount);
    if ((size_t)snprintf(folder, sizeof folder, "%s%s", mount, group) >= sizeof folder || strstr(group, "/.."))
        folder[top] = '\0';
    for (char *slash = folder + strlen(folder); slash; slash = strrchr(folder + top, '/')) {
        *slash = '\0';
        least = less(least, quota(folder));
    }
    return least;
}

static bool has_word(const char *words, size_t len, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words, *end = words + len; at < end; at += strcspn(at, ",:") + 1)
        if (strcspn(at, ",:") == n && memcmp(at, word, n) == 0)
            return true;
    return false;
}

/* line: without its newline. */
static int quota_of_line(const char *root, const char *line)
{
    const char *words = strchr(line, ':'), *group = words ? strchr(words + 1, ':') : NULL;
    char mount[PATH_MAX];
    int least = 0;
    if (!group)
        return 0;
    bool is_v2 = group == words + 1;
    if (!is_v2 && !has_word(words + 1, (size_t)(group - words - 1), "cpu"))
        return 0;
    for (int i = 0; i < 2; i++) {
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root, (is_v2 ? folders_v2 : folders_v1)[i]);
        least = less(least, least_above(mount, group + 1, is_v2 ? quota_v2 : quota_v1));
    }
    return least;
}

int hws_quota_milli(const char *root)
{
    char path[PATH_MAX], text[8192];
    int least = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    hws_file_text(path, text, sizeof text);
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        least = less(least, quota_of_line(root, line));
    }
    return least;
}
