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
#include <stdlib.h>
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

/* What is in a file of the folder; folder[PATH_MAX] is as before afterwards. */
static const char *text_in(char *folder, const char *file, char *text, size_t size)
{
    size_t len = strlen(folder);
    snprintf(folder + len, PATH_MAX - len, "/%s", file);
    const char *found = hws_file_text(folder, text, size);
    folder[len] = '\0';
    return found;
}

static int quota_v2(char *folder)
{
    char text[64];
    long long quota, period;
    if (sscanf(text_in(folder, "cpu.max", text, sizeof text), "%lld %lld", &quota, &period) != 2)
        return 0;
    return milli(quota, period);
}

static int quota_v1(char *folder)
{
    char text[64];
    long long quota, period;
    if (sscanf(text_in(folder, "cpu.cfs_quota_us", text, sizeof text), "%lld", &quota) != 1 ||
        sscanf(text_in(folder, "cpu.cfs_period_us", text, sizeof text), "%lld", &period) != 1)
        return 0;
    return milli(quota, period);
}

static int less(int a, int b)
{
    return !a || (b && b < a) ? b : a;
}

/* From the group up to the root of the mount, ROOT/sys/fs/cgroup/NAME. */
static int least_above(const char *root, const char *name, const char *group, int (*quota)(char *folder))
{
    char folder[PATH_MAX];
    int least = 0, top = snprintf(folder, sizeof folder, "%s/sys/fs/cgroup/%s", root, name);
    if (top >= (int)sizeof folder)
        return 0;
    size_t room = sizeof folder - (size_t)top;
    if ((size_t)snprintf(folder + top, room, "%s", group) >= room || strstr(group, "/.."))
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
    int least = 0;
    if (!group)
        return 0;
    bool is_v2 = group == words + 1;
    if (!is_v2 && !has_word(words + 1, (size_t)(group - words - 1), "cpu"))
        return 0;
    for (int i = 0; i < 2; i++)
        least = less(least, is_v2 ? least_above(root, folders_v2[i], group + 1, quota_v2)
                                  : least_above(root, folders_v1[i], group + 1, quota_v1));
    return least;
}

static FILE *open_groups(const char *root)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/proc/self/cgroup", root) < (int)sizeof path ? fopen(path, "re") : NULL;
}

int hws_quota_milli(const char *root)
{
    FILE *groups = open_groups(root);
    char *line = NULL;
    size_t room = 0;
    int least = 0;
    while (groups && getline(&line, &room, groups) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        least = less(least, quota_of_line(root, line));
    }
    free(line);
    if (groups)
        fclose(groups);
    return least;
}
