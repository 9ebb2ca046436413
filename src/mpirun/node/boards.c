/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boards: one file in memory for all ranks of a node. Texts that a rank wrote are cut to printable letters: a program
 * may have written over its board.
 */
#include "mpirun/node/boards.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/board.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/profile.h"
#include "mpirun/util/proto.h"

struct hws_boards {
    int fd;
    size_t len, profiles, stride; /* of the file; where profiles begin; of each, 0: there are none */
    char *base;
};

struct hws_boards *hws_boards_open(int n, int n_profiled)
{
    struct hws_boards b = {.profiles = (size_t)n * HWS_BOARD_STRIDE,
                           .stride = n_profiled ? hws_profile_stride(n_profiled) : 0};
    b.len = b.profiles + (size_t)n * b.stride;
    b.fd = memfd_create("hawser boards", MFD_CLOEXEC);
    if (b.fd < 0)
        return NULL;
    b.base = ftruncate(b.fd, (off_t)b.len) == 0 ? mmap(NULL, b.len, PROT_READ, MAP_SHARED | MAP_NORESERVE, b.fd, 0)
                                                : MAP_FAILED;
    if (b.base == MAP_FAILED) {
        close(b.fd);
        return NULL;
    }
    struct hws_boards *out = hws_xcalloc(1, sizeof *out);
    *out = b;
    return out;
}

void hws_boards_close(struct hws_boards *b)
{
    if (!b)
        return;
    munmap(b->base, b->len);
    close(b->fd);
    free(b);
}

int hws_boards_fd(const struct hws_boards *b)
{
    return b ? b->fd : -1;
}

long hws_boards_profile_at(const struct hws_boards *b, int i)
{
    return b && b->stride ? (long)(b->profiles + (size_t)i * b->stride) : -1;
}

const struct hws_profile *hws_boards_profile(const struct hws_boards *b, int i)
{
    long at = hws_boards_profile_at(b, i);
    return at < 0 ? NULL : (const struct hws_profile *)(const void *)(b->base + at);
}

static const struct hws_board *board_of(const struct hws_boards *b, int i)
{
    return (const struct hws_board *)(b->base + (size_t)i * HWS_BOARD_STRIDE);
}

static void clean(char *text)
{
    for (; *text; text++)
        if (!isprint((unsigned char)*text))
            *text = '?';
}

/* "from rank 3" */
static void say_peer(struct hws_buf *out, const struct hws_board_what *w)
{
    static const char *const ways[] = {[HWS_BOARD_SEND] = "to", [HWS_BOARD_RECV] = "from", [HWS_BOARD_PROBE] = "from"};
    if (w->peer < 0)
        hws_buf_printf(out, " %s any rank", ways[w->verb]);
    else
        hws_buf_printf(out, " %s rank %d", ways[w->verb], w->peer);
    if (w->tag < 0)
        hws_buf_printf(out, ", any tag");
    else
        hws_buf_printf(out, ", tag %d", w->tag);
}

static void say_what(struct hws_buf *out, struct hws_board_what *w)
{
    bool has_peer = w->verb > HWS_BOARD_CALL && w->verb <= HWS_BOARD_PROBE;
    clean(w->call);
    clean(w->comm);
    hws_buf_printf(out, "%s", w->call);
    if (w->n_all > 1 && !w->n_open)
        hws_buf_printf(out, " for many of");
    else if (w->n_all > 1)
        hws_buf_printf(out, " for %u of", w->n_open);
    if (w->n_all > 1)
        hws_buf_printf(out, " %u requests, the first a %s", w->n_all,
                       !has_peer                   ? "request"
                       : w->verb == HWS_BOARD_SEND ? "send"
                                                   : "receive");
    if (has_peer)
        say_peer(out, w);
    if (w->comm[0])
        hws_buf_printf(out, "%s on %s", has_peer ? "," : "", w->comm);
}

static void say_queues(struct hws_buf *out, const struct hws_board_wait *w)
{
    if (w->n_unexpected && w->queued_peer >= 0)
        hws_buf_printf(out, "\na message from rank %d with tag %d is here without a receive", w->queued_peer,
                       w->queued_tag);
    if (w->n_unexpected > 1 && w->queued_peer >= 0)
        hws_buf_printf(out, ", the oldest of %u", w->n_unexpected);
}

static void add_record(struct hws_buf *out, int rank, enum hws_stand stand, uint64_t for_ms, uint64_t still_ms,
                       const char *text)
{
    hws_add_u32(out, (uint32_t)rank);
    hws_add_u32(out, (uint32_t)stand);
    hws_add_u32(out, (uint32_t)(for_ms < UINT32_MAX ? for_ms : UINT32_MAX));
    hws_add_u32(out, (uint32_t)(still_ms < UINT32_MAX ? still_ms : UINT32_MAX));
    hws_add_text(out, text, strlen(text));
}

static uint64_t ms_since(uint64_t then_ns)
{
    uint64_t now = hws_clock_ns();
    return now > then_ns ? (now - then_ns) / HWS_NS_PER_MS : 0;
}

static bool report_waits(const struct hws_board *board, int rank, struct hws_buf *out)
{
    struct hws_board_wait w;
    bool any = false;
    for (int i = 0; i < HWS_BOARD_WAITS; i++) {
        if (!hws_board_read(board, i, &w))
            continue;
        struct hws_buf text = {0};
        say_what(&text, &w.what);
        say_queues(&text, &w);
        hws_buf_append(&text, "", 1);
        add_record(out, rank, HWS_STAND_WAITS, ms_since(w.since_ns), ms_since(w.moved_ns), hws_buf_data(&text));
        hws_buf_free(&text);
        any = true;
    }
    return any;
}

static bool is_stopped(int pid)
{
    char state = hws_process_state(pid);
    return state == 'T' || state == 't';
}

void hws_boards_report(const struct hws_boards *b, int i, int rank, enum hws_rank_state state, int pid,
                       struct hws_buf *out)
{
    static const struct {
        enum hws_stand stand;
        const char *text;
    } ends[HWS_RANK_N] = {
        [HWS_RANK_PLANNED] = {HWS_STAND_OUTSIDE, "not started yet"},
        [HWS_RANK_STARTED] = {HWS_STAND_OUTSIDE, "before MPI_Init"},
        [HWS_RANK_FINALIZED] = {HWS_STAND_OVER, "after MPI_Finalize"},
        [HWS_RANK_ABORTED] = {HWS_STAND_OVER, "in MPI_Abort"},
        [HWS_RANK_EXITED] = {HWS_STAND_OVER, "ended"},
    };
    const struct hws_board *board = b ? board_of(b, i) : NULL;
    bool is_there = pid > 0 && is_stopped(pid);
    if (is_there)
        add_record(out, rank, HWS_STAND_STOPPED, 0, 0, "stopped by a signal");
    else if (state != HWS_RANK_IN_MPI)
        add_record(out, rank, ends[state].stand, 0, 0, ends[state].text);
    else if (!board || board->version != HWS_BOARD_VERSION)
        add_record(out, rank, HWS_STAND_SILENT, 0, 0, "in an MPI that does not say what it waits for");
    else if (!report_waits(board, rank, out))
        add_record(out, rank, HWS_STAND_BUSY, 0, 0, "computing, waits in no MPI call");
}

void hws_boards_last(const struct hws_boards *b, int i, char *out, size_t len)
{
    const struct hws_board *board = b ? board_of(b, i) : NULL;
    struct hws_board_wait w;
    struct hws_buf text = {0};
    *out = '\0';
    if (!board || board->version != HWS_BOARD_VERSION || board->is_over)
        return;
    if (strncmp(board->died_in, HWS_BOARD_NO_CALL, sizeof board->died_in) == 0)
        return;
    if (board->died_in[0]) {
        snprintf(out, len, "%.*s", (int)sizeof board->died_in - 1, board->died_in);
    } else if (hws_board_read(board, 0, &w)) {
        say_what(&text, &w.what);
        snprintf(out, len, "%.*s", (int)text.len, hws_buf_data(&text));
        hws_buf_free(&text);
    }
    clean(out);
}
