/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines: without a tag a whole run of lines leaves in one piece; with one, line by line into a scratch queue.
 */
#include "mpirun/lines.h"

#include <string.h>


static void add_line(struct hws_buf *out, const char *tag, const char *line, size_t len)
{
    hws_buf_append(out, tag, strlen(tag));
    hws_buf_append(out, line, len);
}

/* `data` ends in a newline, or is an overlong part that gets one. */
static void give_tagged(const char *tag, const char *data, size_t len, void (*emit)(void *arg, const char *data, size_t len), void *arg)
{
    struct hws_buf out = {0};
    while (len) {
        const char *end = memchr(data, '\n', len);
        size_t n = end ? (size_t)(end - data) + 1 : len;
        add_line(&out, tag, data, n);
        if (!end)
            hws_buf_append(&out, "\n", 1);
        data += n;
        len -= n;
    }
    emit(arg, hws_buf_data(&out), out.len);
    hws_buf_free(&out);
}

static void give(const char *tag, const char *data, size_t len, void (*emit)(void *arg, const char *data, size_t len), void *arg)
{
    if (*tag)
        give_tagged(tag, data, len, emit, arg);
    else
        emit(arg, data, len);
}

void hws_lines_end(struct hws_lines *l, const char *tag, void (*emit)(void *arg, const char *data, size_t len), void *arg)
{
    if (l->partial.len)
        give(tag, hws_buf_data(&l->partial), l->partial.len, emit, arg);
    hws_buf_free(&l->partial);
}

void hws_lines_feed(struct hws_lines *l, const char *tag, const char *data, size_t len,
                    void (*emit)(void *arg, const char *data, size_t len), void *arg)
{
    const char *last = memrchr(data, '\n', len);
    size_t whole = last ? (size_t)(last - data) + 1 : 0;
    if (whole && l->partial.len) { /* the begun line and all that follows it, in one piece */
        hws_buf_append(&l->partial, data, whole);
        hws_lines_end(l, tag, emit, arg);
    } else if (whole) {
        give(tag, data, whole, emit, arg);
    }
    hws_buf_append(&l->partial, data + whole, len - whole);
    if (l->partial.len > HWS_LINE_MAX)
        hws_lines_end(l, tag, emit, arg);
}
