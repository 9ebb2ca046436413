/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hosts: lists of hosts with slots, as -host, hostfiles and batch systems give them. An entry is kept for each mention,
 * in order. The parsers are pure; hws_hosts_read_file() reads a file.
 */
#ifndef HWS_MPIRUN_HOSTS_H
#define HWS_MPIRUN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

#define HWS_SLOTS_MAX  1000000
#define HWS_SLOTS_NONE (-1) /* a gateway that takes no ranks */

/* Of a hostfile: the site that a host is in. */
struct hws_host_site {
    char *site;      /* NULL: not said */
    char *lan, *wan; /* of a gateway: addresses for its own site and for others ("none": it has none); NULL: not said */
    char *trunks,
        *congestion; /* of a gateway, its long-distance connections: how many, TCP_CONGESTION; NULL: its choice */
    bool is_gateway;
};

struct hws_host {
    char *name;
    int slots;     /* 0: not said; HWS_SLOTS_NONE */
    int max_slots; /* 0: no bound */
    struct hws_host_site at;
};

struct hws_host_list {
    struct hws_host *list; /* n entries; own copies */
    int n, cap;
};

/* Appends an entry; the name is copied. */
void hws_hosts_add(struct hws_host_list *h, const char *name, size_t name_len, int slots, int max_slots);
/* Frees the entries; the list is empty and usable afterwards. */
void hws_hosts_fini(struct hws_host_list *h);

/* "a:2,b,[fe80::1]:3" as -host takes it. HWS_OK, or HWS_EINVAL with one line in err that begins with the flag's text.
 */
int hws_hosts_parse_list(struct hws_host_list *h, const char *text, char *err, size_t err_len);

/* The text of a hostfile: one host a line, "host", "host:N" or "host slots=N max_slots=N" (slots=0: of
 * a gateway that takes no ranks), and of several sites "site=NAME", "gateway", "lan=ADDRESS", "wan=ADDRESS|none"; '#'
 * begins a comment.
 * HWS_OK, or HWS_EINVAL with "FILE:LINE: what is wrong" in err; `file` is only named. */
int hws_hosts_parse_text(struct hws_host_list *h, const char *file, const char *text, char *err, size_t err_len);

/* Reads a hostfile. HWS_OK, or HWS_EINVAL (also: cannot be read, names no host) with one line in err. */
int hws_hosts_read_file(struct hws_host_list *h, const char *file, char *err, size_t err_len);

/* A copy with texts of its own; frees them. */
struct hws_host_site hws_host_site_copy(const struct hws_host_site *s);
void hws_host_site_fini(struct hws_host_site *s);

/* The entry of that name, or NULL. */
const struct hws_host *hws_hosts_find(const struct hws_host_list *h, const char *name);

/* True if the name or address means this machine: its host name with or without domain, localhost, an address of one of
 * its interfaces, or a name that /etc/hosts maps to one. Asks no name server, which might take its time. */
bool hws_host_is_local(const char *name);

#endif
