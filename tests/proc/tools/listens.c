/* SPDX-License-Identifier: BSD-3-Clause
 *
 * listens: the addresses that a rank listens on. "loopback": none but that; "cards": others, too, where this host has
 * any.
 */
#include <dirent.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <unistd.h>

#include "tool.h"

/* A socket of this process has that inode. */
static int is_mine(unsigned long inode)
{
    char path[300], target[64], wanted[64];
    int found = 0;
    DIR *d = opendir("/proc/self/fd");
    snprintf(wanted, sizeof wanted, "socket:[%lu]", inode);
    for (struct dirent *e; d && (e = readdir(d)) && !found;) {
        snprintf(path, sizeof path, "/proc/self/fd/%s", e->d_name);
        ssize_t n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        found = strcmp(target, wanted) == 0;
    }
    if (d)
        closedir(d);
    return found;
}

/* Sockets of this process that listen, by where; the kernel's table has addresses in hexadecimal digits. */
static void count_listeners(int *loopback, int *others)
{
    char line[512], address[64];
    unsigned state;
    unsigned long inode;
    FILE *f = fopen("/proc/self/net/tcp", "r");
    check(f != NULL);
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, " %*d: %63[0-9A-F]:%*x %*s %x %*s %*s %*s %*s %*s %lu", address, &state, &inode) != 3 ||
            state != 10 || !is_mine(inode))
            continue;
        if (strcmp(address, "0100007F") == 0)
            ++*loopback;
        else
            ++*others;
    }
    if (f)
        fclose(f);
}

static int has_cards(void)
{
    struct ifaddrs *all, *a;
    int n = 0;
    if (getifaddrs(&all) != 0)
        return 0;
    for (a = all; a; a = a->ifa_next)
        n += a->ifa_addr && a->ifa_addr->sa_family == AF_INET && (a->ifa_flags & IFF_UP) &&
             !(a->ifa_flags & IFF_LOOPBACK);
    freeifaddrs(all);
    return n > 0;
}

int main(int argc, char **argv)
{
    int loopback = 0, others = 0;
    proc_begin(&argc, &argv);
    count_listeners(&loopback, &others);
    MPI_Barrier(MPI_COMM_WORLD);
    check_eq(loopback > 0, 1);
    if (argc > 1 && strcmp(argv[1], "cards") == 0)
        check_eq(others > 0, has_cards());
    else
        check_eq(others, 0);
    return proc_end();
}
