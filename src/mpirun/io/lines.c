/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines: without a tag a whole run of lines leaves in one piece; with one, line by line into a scratch queue.
 */
#include "mpirun/io/lines.h"

#include <string.h>

static void add_line(struct hws_buf *out, const char *tag, const char *line, size_t len)
{
    hws_buf_append(out, tag, strlen(tag));
    hws_buf_append(out, line, len);
}

/* `data` ends in a newline, or is an overlong part that gets one. */
static void give_tagged(const struct hws_lines_to *to, const char *data, size_t len)
{
    struct hws_buf out = {0};
    while (len) {
        const char *end = memchr(data, '\n', len);
        size_t n = end ? (size_t)(end - data) + 1 : len;
        add_line(&out, to->tag, data, n);
        if (!end)
            hws_buf_append(&out, "\n", 1);
        data += n;
        len -= n;
    }
    to->emit(to->arg, hws_buf_data(&out), out.len);
    hws_buf_free(&out);
}

static void give(const struct hws_lines_to *to, const char *data, size_t len)
{
    if (*to->tag)
        give_tagged(to, data, len);
    else
        to->emit(to->arg, data, len);
}

void hws_lines_end(struct hws_lines *l, const struct hws_lines_to *to)
{
    if (l->partial.len)
        give(to, hws_buf_data(&l->partial), l->partial.len);
    hws_buf_free(&l->partial);
}

void hws_lines_feed(struct hws_lines *l, const struct hws_lines_to *to, const char *data, size_t len)
{
    const char *last = memrchr(data, '\n', len);
    size_t whole = last ? (size_t)(last - data) + 1 : 0;
    if (whole && l->partial.len) { /* the begun line and all that follows it, in one piece */
        hws_buf_append(&l->partial, data, whole);
        hws_lines_end(l, to);
    } else if (whole) {
        give(to, data, whole);
    }
    hws_buf_append(&l->partial, data + whole, len - whole);
    if (l->partial.len > HWS_LINE_MAX)
        hws_lines_end(l, to);
}
