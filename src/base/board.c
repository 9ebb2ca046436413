/* SPDX-License-Identifier: BSD-3-Clause
 *
 * board: a sequence number around each change tells the reader whether its copy is whole.
 */
#include "base/board.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_TRIES 100 /* a change takes some nanoseconds; a writer that was killed within one never ends it */

static_assert(sizeof(struct hws_board) <= HWS_BOARD_STRIDE, "the boards of two ranks do not overlap");

struct hws_board *hws_board_take(void)
{
    const char *text = getenv(HWS_BOARD_VAR);
    int fd = -1;
    long offset = -1;
    struct stat st;
    bool is_good = text && sscanf(text, "%d,%ld", &fd, &offset) == 2 && fd >= 0 && offset >= 0 &&
                   offset % HWS_BOARD_STRIDE == 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                   st.st_size >= offset + HWS_BOARD_STRIDE;
    unsetenv(HWS_BOARD_VAR);
    if (!is_good)
        return NULL;
    struct hws_board *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    close(fd);
    if (b == MAP_FAILED)
        return NULL;
    memset(b, 0, sizeof *b);
    b->version = HWS_BOARD_VERSION;
    return b;
}

void hws_board_drop(struct hws_board *b)
{
    if (!b)
        return;
    __atomic_store_n(&b->is_over, 1, __ATOMIC_RELEASE);
    munmap(b, sizeof *b);
}

void hws_board_open(struct hws_board_wait *w)
{
    __atomic_store_n(&w->seq, w->seq + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* what is written behind it is not seen before it */
}

void hws_board_close(struct hws_board_wait *w)
{
    __atomic_store_n(&w->seq, w->seq + 1, __ATOMIC_RELEASE);
}

struct hws_board_wait *hws_board_begin(struct hws_board *b, const struct hws_board_what *what, uint64_t now_ns)
{
    struct hws_board_wait *w = NULL;
    for (int i = 0; i < HWS_BOARD_WAITS && !w; i++)
        if (!b->waits[i].used)
            w = &b->waits[i];
    if (!w)
        return NULL;
    hws_board_open(w);
    w->what = *what;
    w->since_ns = w->moved_ns = now_ns;
    w->n_posted = w->n_unexpected = 0;
    w->used = 1;
    hws_board_close(w);
    return w;
}

void hws_board_end(struct hws_board_wait *w)
{
    __atomic_store_n(&w->used, 0, __ATOMIC_RELEASE);
}

void hws_board_text(char *field, const char *text, unsigned len)
{
    size_t n = strnlen(text, len - 1);
    memcpy(field, text, n);
    field[n] = '\0';
}

bool hws_board_read(const struct hws_board *b, int i, struct hws_board_wait *out)
{
    const struct hws_board_wait *w = &b->waits[i];
    for (int k = 0; k < READ_TRIES; k++) {
        uint32_t before = __atomic_load_n(&w->seq, __ATOMIC_ACQUIRE);
        memcpy(out, w, sizeof *out);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (before % 2 || __atomic_load_n(&w->seq, __ATOMIC_RELAXED) != before)
            continue;
        out->what.call[sizeof out->what.call - 1] = '\0';
        out->what.comm[sizeof out->what.comm - 1] = '\0';
        return out->used == 1;
    }
    return false;
}
