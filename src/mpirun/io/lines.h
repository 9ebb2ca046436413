/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines: cuts the output of one stream of one rank into whole lines, so that lines of different ranks never mix. Pure
 * but for the emit callback.
 */
#ifndef HWS_MPIRUN_LINES_H
#define HWS_MPIRUN_LINES_H

#include <stddef.h>

#include "mpirun/util/buf.h"

#define HWS_LINE_MAX 65536 /* a longer line is given out in parts */

struct hws_lines {
    struct hws_buf partial; /* the begun line, without its tag */
};

/* Where the lines of a stream go. */
struct hws_lines_to {
    const char *tag; /* before each line; "" for none */
    void (*emit)(void *arg, const char *data, size_t len);
    void *arg;
};

/* Takes the next bytes of the stream and gives out what ends in a newline, each line behind the tag; a begun line is
 * kept, or given out with a newline of its own where it exceeds HWS_LINE_MAX and has a tag (without one, the bytes stay
 * as they are). */
void hws_lines_feed(struct hws_lines *l, const struct hws_lines_to *to, const char *data, size_t len);

/* The stream has ended: gives out the begun line as it is (with a newline behind it if it has a tag). */
void hws_lines_end(struct hws_lines *l, const struct hws_lines_to *to);

#endif
