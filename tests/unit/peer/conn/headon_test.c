/* SPDX-License-Identifier: BSD-3-Clause
 *
 * headon_test: two ends that may dial each other at any moment, as a model whose every reachable state is visited:
 * every interleaving of the two handshakes, of dials that fail before their hello, and of second dials. The rule under
 * test is the real one; the rest of the model follows docs/wire.md section 2 (HELLO, CHALLENGE, PROOF, VERDICT).
 *
 * In every state: nobody is connected over a connection that the other end has given up. In every final state: both are
 * connected over the same one, or nobody ever could.
 */
#include "peer/conn/headon.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N_DIALS = 2 }; /* each end dials at most so often */

/* Stages of one connection; what is in flight follows from it. */
enum stage {
    UNUSED,
    CONNECTING,   /* dialer: no answer from the kernel yet */
    HELLO_SENT,   /* HELLO on its way to the acceptor */
    CHALLENGED,   /* CHALLENGE on its way back */
    PROOF_SENT,   /* PROOF on its way */
    WELCOME_SENT, /* acceptor connected, VERDICT on its way */
    REFUSED_SENT, /* acceptor gone, VERDICT on its way */
    CONNECTED,    /* at both ends */
    CLOSED
};

struct conn {
    uint8_t stage;
    bool dialer_gone;   /* the dialer has dropped it */
    bool acceptor_gone; /* the acceptor has dropped it */
};

enum { NO_SOCKET = 255 };

struct state {
    struct conn conns[2][N_DIALS]; /* [dialer][attempt] */
    uint8_t socket[2]; /* what the end holds for its peer: 2 * dialer + ... as index(dialer, attempt), or none */
    uint8_t n_dialled[2];
};

static uint8_t index_of(int dialer, int attempt)
{
    return (uint8_t)(dialer * N_DIALS + attempt);
}

static struct conn *conn_at(struct state *s, uint8_t index)
{
    return &s->conns[index / N_DIALS][index % N_DIALS];
}

/* Whether `end` is connected over this connection. */
static bool is_connected(const struct conn *c, int dialer, int end)
{
    if (end == dialer)
        return c->stage == CONNECTED && !c->dialer_gone;
    return (c->stage == CONNECTED || c->stage == WELCOME_SENT) && !c->acceptor_gone;
}

static bool end_is_connected(struct state *s, int end)
{
    uint8_t i = s->socket[end];
    return i != NO_SOCKET && is_connected(conn_at(s, i), i / N_DIALS, end);
}

static struct hws_name name(int rank)
{
    return (struct hws_name){.job = 42, .rank = rank};
}

/* The acceptor's verdict over a proven connection: socket.c, on_proof(). */
static void judge(struct state *s, int dialer, int attempt)
{
    int me = 1 - dialer;
    struct conn *c = &s->conns[dialer][attempt];
    uint8_t own = s->socket[me];
    bool is_refused = false;
    if (own != NO_SOCKET) {
        bool answered = conn_at(s, own)->stage != CONNECTING;
        is_refused = end_is_connected(s, me) || hws_headon_keep_mine(name(me), name(dialer), answered);
    }
    if (is_refused) {
        c->stage = REFUSED_SENT;
        c->acceptor_gone = true;
        return;
    }
    if (own != NO_SOCKET)
        conn_at(s, own)->dialer_gone = true;
    c->stage = WELCOME_SENT;
    s->socket[me] = index_of(dialer, attempt);
}

static void drop_own(struct state *s, int dialer, int attempt)
{
    s->conns[dialer][attempt].dialer_gone = true;
    s->conns[dialer][attempt].stage = CLOSED;
    if (s->socket[dialer] == index_of(dialer, attempt))
        s->socket[dialer] = NO_SOCKET;
}

/* The next thing that happens on a connection. False: nothing does. */
static bool advance(struct state *s, int dialer, int attempt)
{
    struct conn *c = &s->conns[dialer][attempt];
    switch (c->stage) {
    case CONNECTING:
        if (c->dialer_gone)
            c->stage = CLOSED;
        else
            c->stage = HELLO_SENT;
        return true;
    case HELLO_SENT: /* arrives even if the dialer has closed meanwhile; the CHALLENGE then goes nowhere */
        c->stage = CHALLENGED;
        return true;
    case CHALLENGED:
        c->stage = c->dialer_gone ? CLOSED : PROOF_SENT;
        return true;
    case PROOF_SENT:
        judge(s, dialer, attempt);
        return true;
    case WELCOME_SENT:
        if (!c->dialer_gone)
            c->stage = CONNECTED;
        return !c->dialer_gone;
    case REFUSED_SENT:
        drop_own(s, dialer, attempt);
        return true;
    default:
        return false;
    }
}

/* A dial that fails before its proof went out: nobody answers, or the hello takes too long. */
static bool fail(struct state *s, int dialer, int attempt)
{
    struct conn *c = &s->conns[dialer][attempt];
    if (c->dialer_gone || (c->stage != CONNECTING && c->stage != HELLO_SENT && c->stage != CHALLENGED))
        return false;
    drop_own(s, dialer, attempt);
    return true;
}

static bool dial(struct state *s, int end)
{
    if (s->socket[end] != NO_SOCKET || s->n_dialled[end] == N_DIALS)
        return false;
    int attempt = s->n_dialled[end]++;
    s->conns[end][attempt].stage = CONNECTING;
    s->socket[end] = index_of(end, attempt);
    return true;
}

/* ---- the walk ---- */

enum { MAX_STATES = 1 << 20 };

static struct state *seen;
static size_t n_seen;
static uint32_t table[MAX_STATES * 2];

static uint32_t hash(const struct state *s)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < sizeof *s; i++)
        h = (h ^ ((const uint8_t *)s)[i]) * 16777619u;
    return h % (MAX_STATES * 2);
}

static void visit(const struct state *s)
{
    uint32_t at = hash(s);
    while (table[at]) {
        if (memcmp(&seen[table[at] - 1], s, sizeof *s) == 0)
            return;
        at = (at + 1) % (MAX_STATES * 2);
    }
    cr_assert_lt(n_seen, MAX_STATES);
    seen[n_seen++] = *s;
    table[at] = (uint32_t)n_seen;
}

/* Every successor of a state; *is_final: only dials that nobody is bound to make are left. */
static void visit_successors(const struct state *s, bool may_fail, bool *is_final)
{
    *is_final = true;
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < N_DIALS; k++) {
            struct state next = *s;
            if (advance(&next, end, k)) {
                visit(&next);
                *is_final = false;
            }
            next = *s;
            if (may_fail && fail(&next, end, k))
                visit(&next);
        }
        struct state next = *s;
        if (dial(&next, end))
            visit(&next);
    }
}

static void check_always(struct state *s)
{
    for (int d = 0; d < 2; d++)
        for (int k = 0; k < N_DIALS; k++) {
            struct conn *c = &s->conns[d][k];
            cr_assert_not(is_connected(c, d, d) && c->acceptor_gone, "dialer connected to nobody");
            cr_assert_not(is_connected(c, d, 1 - d) && c->dialer_gone, "acceptor connected to nobody");
        }
}

static void check_final(struct state *s, bool may_fail)
{
    if (!end_is_connected(s, 0) && !end_is_connected(s, 1)) {
        bool has_dialled = s->n_dialled[0] || s->n_dialled[1];
        cr_assert(may_fail || !has_dialled, "dials that nothing stopped have led to no connection");
        return; /* to dial again is connect.c's part */
    }
    cr_assert(end_is_connected(s, 0) && end_is_connected(s, 1), "one end alone is connected");
    cr_assert_eq(s->socket[0], s->socket[1], "connected over different connections");
}

static size_t walk(bool may_fail)
{
    size_t n_connected = 0;
    struct state first;
    memset(&first, 0, sizeof first);
    first.socket[0] = first.socket[1] = NO_SOCKET;
    seen = malloc(MAX_STATES * sizeof *seen);
    cr_assert_not_null(seen);
    visit(&first);
    for (size_t i = 0; i < n_seen; i++) {
        struct state s = seen[i];
        bool is_final;
        check_always(&s);
        visit_successors(&seen[i], may_fail, &is_final);
        if (!is_final)
            continue;
        check_final(&s, may_fail);
        n_connected += end_is_connected(&s, 0);
    }
    free(seen);
    return n_connected;
}

Test(headon, every_interleaving_ends_in_one_connection)
{
    size_t n = walk(false);
    cr_assert_gt(n_seen, 50);
    cr_assert_gt(n, 1);
}

Test(headon, also_when_dials_fail_and_are_made_again)
{
    size_t n = walk(true);
    cr_assert_gt(n_seen, 300);
    cr_assert_gt(n, 10);
}

Test(headon, the_lower_rank_wins_if_its_dial_was_answered)
{
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++) {
            if (a == b)
                continue;
            cr_assert_eq(hws_headon_keep_mine(name(a), name(b), true), a < b);
            cr_assert_not(hws_headon_keep_mine(name(a), name(b), false));
            cr_assert_neq(hws_headon_keep_mine(name(a), name(b), true), hws_headon_keep_mine(name(b), name(a), true));
        }
}

/* Both ends of a pair from two jobs come to the same connection, too, whatever their ranks. */
Test(headon, names_have_one_order)
{
    static const uint64_t jobs[] = {0, 1, 42, UINT64_MAX};
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 16; k++) {
            struct hws_name a = {jobs[i / 4], i % 4}, b = {jobs[k / 4], k % 4};
            cr_expect_eq(hws_name_is_lower(a, b), i < k);
            if (i != k)
                cr_expect_neq(hws_headon_keep_mine(a, b, true), hws_headon_keep_mine(b, a, true));
        }
}
