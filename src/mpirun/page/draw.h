/* SPDX-License-Identifier: BSD-3-Clause
 *
 * draw: the parts of the page, from sums to HTML and SVG. Texts are escaped here.
 */
#ifndef HWS_MPIRUN_DRAW_H
#define HWS_MPIRUN_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/profile.h"
#include "mpirun/util/buf.h"

#define HWS_DRAW_SLOTS   200 /* of time, in the picture of lanes */
#define HWS_DRAW_LINES   10  /* lanes that have a line of their own there; the rest is one */
#define HWS_DRAW_SLOWEST 20

struct hws_page;
struct hws_page_about;

/* A rank, or several ranks that the page puts together: then times are sums. */
struct hws_draw_row {
    char *name;
    int n_ranks, n_silent; /* those of which nothing is known */
    bool has_calls;
    uint64_t elapsed_ns, in_mpi_ns, wait_ns;
};

struct hws_draw_cell {
    uint64_t bytes, messages;
    bool by_net, by_shm;
};

struct hws_draw_rows {
    int n;
    bool are_ranks;
    struct hws_draw_row *row;
    struct hws_draw_cell *cells; /* [from * n + to] */
};

struct hws_draw_line {
    char *name;
    double sum, bytes[HWS_DRAW_SLOTS];
};

struct hws_draw_lines {
    int n;
    double span_ns;
    struct hws_draw_line *line;
};

struct hws_draw_slow {
    int rank;
    struct hws_profile_slow slow;
};

struct hws_draw_calls {
    int n, n_slow;
    struct hws_profile_call call[HWS_PROFILE_CALLS];
    struct hws_draw_slow *slow;
};

/* "shm", "net", "both". */
const char *hws_draw_way(const struct hws_draw_cell *c);

/* A text as a JSON string that may stand in a script element. */
void hws_draw_json(struct hws_buf *out, const char *text);

/* The busiest first; those beyond HWS_DRAW_LINES become one. */
void hws_draw_sort_lines(struct hws_draw_lines *lines);

void hws_draw_head(struct hws_buf *out, const struct hws_page *p, const struct hws_page_about *about, double span_ns);
void hws_draw_matrix(struct hws_buf *out, const struct hws_draw_rows *rows);
void hws_draw_lines(struct hws_buf *out, const struct hws_draw_lines *lines);
void hws_draw_times(struct hws_buf *out, const struct hws_draw_rows *rows);
void hws_draw_calls(struct hws_buf *out, const struct hws_draw_calls *calls);

#endif
