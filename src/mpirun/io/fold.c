/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fold: see the header. A line of the library is known by its beginning ("hawser: rank N: lane "), which follows the
 * rank's tag, if there is one; the lane's words are as src/link/tcp/tcp_transport.c writes them:
 *
 *     dialed      n0 10.1.0.1 to 10.1.0.2 port 5000 on host h1
 *     accepted    n0 10.1.0.1 port 5000 from 10.1.0.2
 *
 * and those of one who waits for an answer as src/peer/conn/socket.c writes them.
 */
#include "mpirun/io/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpirun/util/buf.h"

#define WORD     64
#define ANY_NODE -1 /* of lines that are alike on all hosts */

static const char *const news[] = {" is lost", " is back", " is silent", " answers again"};

/* "n0 10.1.0.1 10.1.0.2 is lost", or NULL: no warning of a lane. own: the line from "hawser: rank " on. */
static char *lane_key(const char *own)
{
    char nic[WORD], here[WORD], there[WORD];
    const char *lane = strstr(own, ": lane ");
    if (!lane || (sscanf(lane, ": lane %63s %63s to %63s", nic, here, there) != 3 &&
                  sscanf(lane, ": lane %63s %63s port %*u from %63s", nic, here, there) != 3))
        return NULL;
    for (unsigned i = 0; i < sizeof news / sizeof news[0]; i++)
        if (strstr(lane, news[i]))
            return hws_xprintf("%s %s %s%s", nic, here, there, news[i]);
    return NULL;
}

/* "rank 0 on host h1", or NULL: nobody waits for an answer. */
static char *waiting_key(const char *own)
{
    static const char before[] = ": still waiting for ", behind[] = " to answer on ";
    const char *begin = strstr(own, before);
    const char *end = begin ? strstr(begin, behind) : NULL;
    if (!end)
        return NULL;
    begin += sizeof before - 1;
    return hws_xstrndup(begin, (size_t)(end - begin));
}

/* What makes lines alike, and on which host; NULL: nothing does. The lines are strings up to their newline. */
static char *key_of(const char *line, int *node, bool *is_waiting)
{
    int rank, end = 0;
    const char *own = strstr(line, "hawser: rank ");
    if (!own || sscanf(own, "hawser: rank %d%n", &rank, &end) != 1 || own[end] != ':')
        return NULL;
    char *key = lane_key(own);
    *is_waiting = !key;
    if (key)
        return key;
    *node = ANY_NODE;
    return waiting_key(own);
}

static struct hws_fold_line *find(struct hws_warning_fold *f, int node, const char *key)
{
    for (int i = 0; i < f->n; i++)
        if (f->held[i].node == node && strcmp(f->held[i].key, key) == 0)
            return &f->held[i];
    return NULL;
}

static void count_rank(struct hws_fold_line *held, int rank)
{
    size_t byte = (size_t)rank / 8;
    unsigned char bit = (unsigned char)(1u << rank % 8);
    if (byte >= held->n_seen) {
        held->seen = hws_xrealloc(held->seen, byte + 1);
        memset(held->seen + held->n_seen, 0, byte + 1 - held->n_seen);
        held->n_seen = byte + 1;
    }
    held->n_ranks += !(held->seen[byte] & bit);
    held->seen[byte] |= bit;
}

enum verdict { NOT_OURS, COUNTED, HELD };

static enum verdict take(struct hws_warning_fold *f, int node, int rank, const char *line)
{
    bool is_waiting;
    char *key = key_of(line, &node, &is_waiting);
    struct hws_fold_line *held = key ? find(f, node, key) : NULL;
    if (held) {
        held->n_more++;
        count_rank(held, rank);
        free(key);
        return COUNTED;
    }
    if (!key || f->n == HWS_FOLDS) {
        free(key);
        return NOT_OURS;
    }
    held = &f->held[f->n++];
    *held = (struct hws_fold_line){.text = hws_xstrdup(line), .key = key, .node = node, .is_waiting = is_waiting};
    count_rank(held, rank);
    return HELD;
}

bool hws_fold_feed(struct hws_warning_fold *f, int node, int rank, const char *lines, size_t len,
                   void (*emit)(void *arg, const char *data, size_t len), void *arg)
{
    bool is_news = false;
    const char *begin = lines, *end = lines + len; /* begin: of what was not given out yet */
    for (const char *at = lines, *next; at < end; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        next = newline ? newline + 1 : end;
        if (!newline || !memmem(at, (size_t)(next - at), "hawser: rank ", 13))
            continue;
        char *line = hws_xstrndup(at, (size_t)(newline - at));
        enum verdict v = take(f, node, rank, line);
        free(line);
        is_news |= v == HELD;
        if (v == NOT_OURS)
            continue;
        if (at > begin)
            emit(arg, begin, (size_t)(at - begin));
        begin = next;
    }
    if (end > begin)
        emit(arg, begin, (size_t)(end - begin));
    return is_news;
}

/* Out of the table first: emit may come back here. */
void hws_fold_flush(struct hws_warning_fold *f, void (*emit)(void *arg, const char *data, size_t len), void *arg)
{
    while (f->n) {
        struct hws_fold_line l = f->held[0];
        struct hws_buf out = {0};
        memmove(f->held, f->held + 1, (size_t)--f->n * sizeof f->held[0]);
        hws_buf_printf(&out, "%s", l.text);
        if (l.is_waiting && l.n_ranks > 1)
            hws_buf_printf(&out, " (and %d more rank%s wait for it)", l.n_ranks - 1, l.n_ranks == 2 ? "" : "s");
        else if (!l.is_waiting && l.n_more)
            hws_buf_printf(&out, " (and %d more lane%s, of %d rank%s)", l.n_more, l.n_more == 1 ? "" : "s", l.n_ranks,
                           l.n_ranks == 1 ? "" : "s");
        hws_buf_append(&out, "\n", 1);
        free(l.text);
        free(l.key);
        free(l.seen);
        emit(arg, hws_buf_data(&out), out.len);
        hws_buf_free(&out);
    }
}
