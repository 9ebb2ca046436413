/* SPDX-License-Identifier: BSD-3-Clause
 *
 * buf: a growing queue of bytes: append at the end, consume at the front. Zeroed memory is an empty queue. Running out
 * of memory ends the process: mpirun cannot do anything sensible then, and the guard ends the ranks.
 */
#ifndef HWS_MPIRUN_BUF_H
#define HWS_MPIRUN_BUF_H

#include <stddef.h>
#include <stdint.h>

struct hws_buf {
    char *base;
    size_t start, len, cap; /* bytes start .. start+len-1 of base are queued */
};

static inline const char *hws_buf_data(const struct hws_buf *b)
{
    return b->base ? b->base + b->start : "";
}

/* Put bytes at the end; without memory the process ends. */
void hws_buf_append(struct hws_buf *b, const void *data, size_t len);
void hws_buf_printf(struct hws_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Room for at least len bytes at the end; fill it, then call hws_buf_added(). */
char *hws_buf_reserve(struct hws_buf *b, size_t len);
static inline void hws_buf_added(struct hws_buf *b, size_t len)
{
    b->len += len;
}

/* Drops len bytes (at most b->len) at the front. */
void hws_buf_consume(struct hws_buf *b, size_t len);

/* Frees the memory; the queue is empty and usable afterwards. */
void hws_buf_free(struct hws_buf *b);

/* malloc, realloc and strdup that end the process with one line when there is no memory. */
void *hws_xrealloc(void *old, size_t len);
void *hws_xcalloc(size_t n, size_t len);
char *hws_xstrdup(const char *s);
char *hws_xstrndup(const char *s, size_t len);
char *hws_xprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
