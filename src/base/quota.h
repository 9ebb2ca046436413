/* SPDX-License-Identifier: BSD-3-Clause
 *
 * quota: how much of the processors a control group gives to this process (Linux cgroups: cpu.max in version 2,
 * cpu.cfs_quota_us in version 1). Containers are limited so, not by their processors, all of which they see: a group
 * that has used up its share is stopped for the rest of each period, 100 ms mostly.
 */
#ifndef HWS_BASE_QUOTA_H
#define HWS_BASE_QUOTA_H

/* In thousandths of a processor, the least of the process's group and those above it, as far as they can be seen; 0: no
 * limit, or none that is known. root: folder of /proc/self/cgroup and /sys/fs/cgroup, "" but in tests. */
int hws_quota_milli(const char *root);

#endif
