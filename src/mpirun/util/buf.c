/* SPDX-License-Identifier: BSD-3-Clause
 *
 * buf: byte queues and allocation that cannot fail.
 */
#include "mpirun/util/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *must(void *p)
{
    if (!p) {
        static const char text[] = "mpirun: out of memory\n";
        ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);
        (void)n;
        _exit(1);
    }
    return p;
}

void *hws_xrealloc(void *old, size_t len)
{
    return must(realloc(old, len ? len : 1));
}

void *hws_xcalloc(size_t n, size_t len)
{
    return must(calloc(n ? n : 1, len ? len : 1));
}

char *hws_xstrdup(const char *s)
{
    return must(strdup(s));
}

char *hws_xstrndup(const char *s, size_t len)
{
    return must(strndup(s, len));
}

char *hws_xprintf(const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    return must(n < 0 ? NULL : text);
}

char *hws_buf_reserve(struct hws_buf *b, size_t len)
{
    if (b->start + b->len + len <= b->cap)
        return b->base + b->start + b->len;
    if (b->start) {
        memmove(b->base, b->base + b->start, b->len);
        b->start = 0;
    }
    if (b->len + len > b->cap) {
        size_t cap = b->cap ? b->cap * 2 : 512;
        while (cap < b->len + len)
            cap *= 2;
        b->base = hws_xrealloc(b->base, cap);
        b->cap = cap;
    }
    return b->base + b->len;
}

void hws_buf_append(struct hws_buf *b, const void *data, size_t len)
{
    if (!len)
        return;
    memcpy(hws_buf_reserve(b, len), data, len);
    b->len += len;
}

void hws_buf_printf(struct hws_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char small[1];
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n <= 0)
        return;
    char *room = hws_buf_reserve(b, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(room, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
}

void hws_buf_consume(struct hws_buf *b, size_t len)
{
    b->start += len;
    b->len -= len;
    if (b->len == 0)
        b->start = 0;
}

void hws_buf_free(struct hws_buf *b)
{
    free(b->base);
    *b = (struct hws_buf){0};
}
