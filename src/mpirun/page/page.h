/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page: the page that `mpirun -report FILE.html` writes: one file without anything from elsewhere. Pure: records in,
 * text out. The page has the same figures for programs, as JSON in a script element of the id "data".
 */
#ifndef HWS_MPIRUN_PAGE_H
#define HWS_MPIRUN_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/page/records.h"
#include "mpirun/util/buf.h"

#define HWS_PAGE_ROWS 128 /* of the matrix; beyond, ranks are put together by hosts, and hosts in equal parts */

#define HWS_PAGE_WAN_SLOTS 50

/* What a gateway says of the way to another site. */
struct hws_page_wan {
    char host[64], site[32];
    uint64_t begin_ns, step_ns; /* since 1970; of a slot */
    int n;
    uint64_t out[HWS_PAGE_WAN_SLOTS], in[HWS_PAGE_WAN_SLOTS];
};

struct hws_page {
    int n_ranks, n_hosts;
    const char *const *hosts;
    const int *host_of;          /* of each rank */
    struct hws_page_rank *ranks; /* n_ranks */
    struct hws_page_wan *wans;
    int n_wans;
};

/* What mpirun knows of the job. */
struct hws_page_about {
    const char *command;
    const char *end; /* how it ended, one sentence */
};

/* hosts and host_of stay the caller's. */
struct hws_page *hws_page_open(int n_ranks, int n_hosts, const char *const *hosts, const int *host_of);
void hws_page_close(struct hws_page *p); /* NULL allowed */

/* The records of a host. False: they are none, or of ranks of another one. */
bool hws_page_add(struct hws_page *p, int host, const char *data, size_t len);

/* Copied. */
void hws_page_add_wan(struct hws_page *p, const struct hws_page_wan *wan);

/* Writes the page. */
void hws_page_write(const struct hws_page *p, const struct hws_page_about *about, struct hws_buf *out);

#endif
