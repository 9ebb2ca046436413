/* SPDX-License-Identifier: BSD-3-Clause
 *
 * local: is a host this machine?
 */
#include "mpirun/place/hosts.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

union address {
    struct in_addr v4;
    struct in6_addr v6;
};

static bool is_own_address(int family, const union address *a)
{
    struct ifaddrs *list, *i;
    bool found = false;
    if (family == AF_INET && (ntohl(a->v4.s_addr) >> 24) == 127)
        return true;
    if (getifaddrs(&list) != 0)
        return false;
    for (i = list; i && !found; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != family)
            continue;
        if (family == AF_INET)
            found = memcmp(&((struct sockaddr_in *)(void *)i->ifa_addr)->sin_addr, &a->v4, sizeof a->v4) == 0;
        else
            found = memcmp(&((struct sockaddr_in6 *)(void *)i->ifa_addr)->sin6_addr, &a->v6, sizeof a->v6) == 0;
    }
    freeifaddrs(list);
    return found;
}

/* 1: an own address, 0: somebody else's, -1: not an address. */
static int check_address(const char *text)
{
    union address a;
    if (inet_pton(AF_INET, text, &a) == 1)
        return is_own_address(AF_INET, &a);
    if (inet_pton(AF_INET6, text, &a) == 1)
        return is_own_address(AF_INET6, &a);
    return -1;
}

static bool line_names(char *line, const char *name)
{
    char *save = NULL;
    line[strcspn(line, "#\n")] = '\0';
    char *address = strtok_r(line, " \t", &save);
    if (!address)
        return false;
    for (char *word; (word = strtok_r(NULL, " \t", &save));)
        if (strcasecmp(word, name) == 0)
            return check_address(address) == 1;
    return false;
}

static bool is_in_hosts_file(const char *name)
{
    FILE *f = fopen("/etc/hosts", "re");
    char line[1024];
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = line_names(line, name);
    if (f)
        fclose(f);
    return found;
}

bool hws_host_is_local(const char *name)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    size_t own_len = strcspn(own, "."), len = strcspn(name, ".");
    bool is_short = !own[own_len] || !name[len]; /* at least one of the two has no domain */
    if (strcasecmp(name, own) == 0 || strcasecmp(name, "localhost") == 0)
        return true;
    int address = check_address(name);
    if (address >= 0)
        return address;
    if (is_short && own_len == len && strncasecmp(name, own, len) == 0)
        return true;
    return is_in_hosts_file(name);
}
