/* SPDX-License-Identifier: BSD-3-Clause
 *
 * quota_test: shares of processors as the files of control groups tell them, both versions, damaged ones too.
 */
#include "base/quota.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[64];

static void begin(void)
{
    strcpy(root, "/tmp/quota.XXXXXX");
    cr_assert_not_null(mkdtemp(root));
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(quota, .init = begin, .fini = end);

static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        mkdir(path, 0700);
    }
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

Test(quota, nothing_is_no_limit)
{
    cr_expect_eq(hws_quota_milli(root), 0);
    put("proc/self/cgroup", "0::/\n");
    cr_expect_eq(hws_quota_milli(root), 0);
    put("sys/fs/cgroup/cpu.max", "max 100000\n");
    cr_expect_eq(hws_quota_milli(root), 0);
}

Test(quota, the_least_of_all_groups_above)
{
    put("proc/self/cgroup", "0::/a/b/c\n");
    put("sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n");
    put("sys/fs/cgroup/a/cpu.max", "400000 100000\n");
    cr_expect_eq(hws_quota_milli(root), 1500);
    put("sys/fs/cgroup/a/cpu.max", "20000 50000\n");
    cr_expect_eq(hws_quota_milli(root), 400);
}

Test(quota, a_container_sees_its_group_as_the_root)
{
    put("proc/self/cgroup", "0::/docker/0123456789\n");
    put("sys/fs/cgroup/cpu.max", "50000 100000\n");
    cr_expect_eq(hws_quota_milli(root), 500);
    put("proc/self/cgroup", "0::/../other\n");
    cr_expect_eq(hws_quota_milli(root), 500);
}

Test(quota, version_1_under_each_of_its_names)
{
    const char *words[] = {"cpu", "cpuacct,cpu", "cpu,cpuacct"};
    for (int i = 0; i < 3; i++) {
        char line[128], name[128];
        const char *folder = i ? "cpu,cpuacct" : "cpu";
        snprintf(line, sizeof line, "7:cpuset:/x\n3:%s:/job\n0::/\n", words[i]);
        put("proc/self/cgroup", line);
        snprintf(name, sizeof name, "sys/fs/cgroup/%s/job/cpu.cfs_quota_us", folder);
        put(name, "250000\n");
        snprintf(name, sizeof name, "sys/fs/cgroup/%s/job/cpu.cfs_period_us", folder);
        put(name, "100000\n");
        cr_expect_eq(hws_quota_milli(root), 2500, "%s", words[i]);
    }
    put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    cr_expect_eq(hws_quota_milli(root), 0);
    put("proc/self/cgroup", "3:cpuset:/job\n");
    put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "1000\n");
    cr_expect_eq(hws_quota_milli(root), 0);
}

Test(quota, damaged_files_are_no_limit)
{
    const char *damaged[] = {"", "\n", "x", "-5 100000", "100000", "1 0", "9223372036854775807 1", "50000 -1"};
    put("proc/self/cgroup", "\n:\n0:\n0::\n0::/\n");
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        put("sys/fs/cgroup/cpu.max", damaged[i]);
        cr_expect_eq(hws_quota_milli(root), 0, "%s", damaged[i]);
    }
    put("sys/fs/cgroup/cpu.max", "1 1000000");
    cr_expect_eq(hws_quota_milli(root), 1, "hardly anything is not nothing");
}
