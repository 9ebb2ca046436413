/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gatherv and scatterv in shared memory and in two levels. Only the root knows all lengths, so each block decides for
 * itself how it goes, by its own length, which giver and taker both know: a short one through slots, in one turn of the
 * host, a long one as a message, straight; in its slot stands its length alone, so that lengths that differ are an
 * error and nobody waits.
 *
 *   root's host                      other hosts
 *   ranks <- slots -> root  <- one message of a host ->  head  <- slots -> ranks        short blocks
 *   ranks <------ a message each ----- root ----- a message each ------> ranks          long ones
 *
 * A host's message is the length of each of its ranks' blocks, then the short ones. Why: one message a host, none
 * within a host. Cost for short blocks of m bytes: that of linear between h hosts, p m copied at most four times.
 */
#include <stdlib.h>

#include "coll/schedule/sched_run.h"
#include "coll/select/algorithm.h"
#include "coll/shm/shm.h"
#include "coll/shm/sit_out.h"
#include "core/hosts/hosts.h"
#include "core/object/fail.h"

/* The longest short block (bytes): within a host; and where it passes a leader, who has room for that from each rank.
 */
#define SHORT       (64u << 10)
#define SHORT_HOSTS (4u << 10)

struct vector {
    const struct hws_coll_call *a;
    struct hws_region *r;      /* of this host; NULL: a single rank */
    const struct hws_hosts *h; /* NULL: there is one host */
    uint64_t limit;            /* bytes; what is longer is long */
    bool root, head, in_place; /* this is the root; this is its host's head; the root's own block stays */
    int me, head_here;         /* own number in this host, that of its head */
    int n;                     /* ranks here */
    struct hws_data mine;
    uint64_t *lens; /* heads: lens[n], of the blocks here as the other side has them; NULL: not known */
    uint64_t heard; /* scatterv: the own one; HWS_SLOT_BAD: not known */
    char *memory;   /* heads: where a host's message is, at the root one after another */
};

static void begin(struct vector *v, struct hws_region *r, const struct hws_coll_call *a, const struct hws_hosts *h)
{
    *v = (struct vector){.a = a, .r = r, .h = h, .root = a->comm->rank == a->root, .heard = HWS_SLOT_BAD};
    v->limit = h ? SHORT_HOSTS : hws_shm_min(SHORT, r->room);
    v->me = h ? h->me : r->me;
    v->n = h ? hws_hosts_size(h, h->mine) : r->n;
    v->head_here = !h ? a->root : h->of[a->root] == h->mine ? hws_hosts_place(h, a->root) : 0;
    v->head = v->me == v->head_here;
    bool gather = a->kind == HWS_COLL_GATHERV;
    v->in_place = v->root && hws_coll_in_place(gather ? a->sbuf : a->rbuf);
    if (!v->in_place)
        v->mine = gather ? hws_type_data(a->st, a->sbuf, a->sn) : hws_type_data(a->rt, a->rbuf, a->rn);
}

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation of blocks of different lengths");
}

static int finish(struct vector *v, int rc)
{
    free(v->memory);
    return rc;
}

/* At the root: a host with a message for, or from, it: all but its own. */
static bool is_apart(const struct vector *v, int host)
{
    return host != v->h->mine;
}

static uint64_t head_len(int n)
{
    return (uint64_t)n * sizeof(uint64_t);
}

/* Bytes of a host's message at most. */
static uint64_t room_of(const struct vector *v, int n)
{
    return head_len(n) + (uint64_t)n * v->limit;
}

/* The message of a host at the root. */
static uint64_t *message_of(const struct vector *v, int host)
{
    return (uint64_t *)(void *)(v->memory + room_of(v, v->h->first[host]));
}

/* All ranks take the same tags, also those that have nothing to say. */
static int talk(const struct vector *v, void (*build)(struct hws_sched *s, const struct vector *v), bool has_part,
                int rc)
{
    if (!has_part) {
        hws_comm_next_tag(v->a->comm);
        return rc;
    }
    struct hws_sched *s = hws_sched_new(v->a->comm, false);
    if (!s)
        return no_memory();
    s->lenient = true; /* a message of short blocks may be shorter than there is room for */
    build(s, v);
    rc = hws_sched_run_after(s, rc);
    hws_sched_free(s);
    return rc;
}

/* A long block, where its length may differ from what is due: taken all the same, as an error. */
static void receive(struct hws_sched *s, const struct vector *v, struct hws_data d, uint64_t len, int from)
{
    if (len == HWS_SLOT_BAD)
        len = d.len_bytes;
    if (len > v->limit && len == d.len_bytes)
        hws_sched_recv(s, d, from);
    else if (len > v->limit)
        hws_sched_recv_token(s, from);
}

static bool is_long(const struct vector *v, uint64_t len)
{
    return len > v->limit && len != HWS_SLOT_BAD;
}

/* The root's own block, where no slot takes it. */
static bool copies_own(const struct vector *v)
{
    return v->root && !v->in_place && (!v->r || is_long(v, v->mine.len_bytes));
}

static struct hws_shm_blocks blocks_here(const struct vector *v)
{
    struct hws_shm_blocks b = {.call = v->root ? v->a : NULL, .len = v->limit, .vector = true, .in_place = v->in_place};
    b.ranks = v->h ? v->h->ranks + v->h->first[v->h->mine] : NULL;
    return b;
}

static void forget(uint64_t *lens, int n)
{
    for (int i = 0; i < n; i++)
        lens[i] = HWS_SLOT_BAD;
}

/* Heads' memory. Root: room for the messages of all hosts; where its own host's would be are `lens`. Others: for their
 * own, and behind it, where its blocks are. */
static int prepare(struct vector *v)
{
    if (!v->head)
        return MPI_SUCCESS;
    bool all = v->root && v->h;
    uint64_t len = (v->h ? room_of(v, all ? v->a->comm->size : v->n) : 0) + head_len(v->n);
    v->memory = malloc((size_t)len);
    if (!v->memory)
        return no_memory();
    v->lens = all ? message_of(v, v->h->mine) : (uint64_t *)(void *)v->memory;
    forget(v->lens, v->n);
    for (int host = 0; all && host < v->h->n; host++)
        forget(message_of(v, host), hws_hosts_size(v->h, host));
    return MPI_SUCCESS;
}

/* ---- gatherv ----------------------------------------------------------------------------------------------------- */

/* Short blocks of a host, one after another. Bytes of the message. */
static uint64_t close_up(const struct vector *v)
{
    char *from = v->memory + head_len(v->n), *to = from;
    for (int i = 0; i < v->n; i++, from += v->limit) {
        uint64_t len = is_long(v, v->lens[i]) ? 0 : v->lens[i];
        memmove(to, from, len);
        to += len;
    }
    return (uint64_t)(to - v->memory);
}

static void build_gather_short(struct hws_sched *s, const struct vector *v)
{
    if (!v->root) {
        uint64_t len = v->lens && v->lens[0] != HWS_SLOT_BAD ? close_up(v) : 1;
        hws_sched_send(s, hws_bytes(v->memory, len), v->a->root);
        return;
    }
    for (int host = 0; host < v->h->n; host++)
        if (is_apart(v, host))
            hws_sched_recv(s, hws_bytes(v->memory ? message_of(v, host) : NULL, room_of(v, hws_hosts_size(v->h, host))),
                           v->h->ranks[v->h->first[host]]);
}

/* The message of a host. */
static int take_message(const struct vector *v, int host)
{
    int n = hws_hosts_size(v->h, host), rc = MPI_SUCCESS;
    const int *ranks = v->h->ranks + v->h->first[host];
    const uint64_t *lens = message_of(v, host);
    const char *from = (const char *)(lens + n);
    for (int i = 0; i < n; i++) {
        struct hws_data d = hws_rblock(v->a, ranks[i]);
        if (lens[i] != d.len_bytes)
            rc = hws_shm_truncated(lens[i], ranks[i], d.len_bytes);
        else if (!is_long(v, lens[i]))
            hws_shm_get(d, 0, from, lens[i]);
        from += is_long(v, lens[i]) ? 0 : lens[i];
    }
    return rc;
}

static int take_messages(const struct vector *v)
{
    int rc = MPI_SUCCESS;
    for (int host = 0; host < v->h->n; host++) {
        int one = is_apart(v, host) ? take_message(v, host) : MPI_SUCCESS;
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    return rc;
}

/* What came from the rank at place i of all: its block's length. */
static uint64_t came_from(const struct vector *v, int i)
{
    if (!v->h || !v->lens)
        return v->lens ? v->lens[i] : HWS_SLOT_BAD;
    int host = v->h->of[v->h->ranks[i]];
    return message_of(v, host)[i - v->h->first[host]];
}

static void build_gather_long(struct hws_sched *s, const struct vector *v)
{
    int root = v->a->root;
    if (!v->root) {
        s->abreast = s->size > 2; /* others likely send to the root as well */
        hws_sched_send(s, v->mine, root);
        return;
    }
    for (int i = 0; i < v->a->comm->size; i++) {
        int from = v->h ? v->h->ranks[i] : i;
        if (from != root)
            receive(s, v, hws_rblock(v->a, from), came_from(v, i), from);
    }
    if (copies_own(v))
        hws_sched_copy(s, v->mine, hws_rblock(v->a, root));
}

/* Whether messages come to the root, or it has its own block to copy. */
static bool has_long_to_take(const struct vector *v)
{
    for (int i = 0; i < v->a->comm->size; i++) {
        int from = v->h ? v->h->ranks[i] : i;
        uint64_t came = came_from(v, i), len = came == HWS_SLOT_BAD ? hws_rblock(v->a, from).len_bytes : came;
        if (from != v->a->root && is_long(v, len))
            return true;
    }
    return copies_own(v);
}

/* The root takes what others send also when something has gone wrong: it tells which long blocks come. */
static int gather_hosts(const struct vector *v, int rc)
{
    int one = talk(v, build_gather_short, v->head, v->root && v->memory ? MPI_SUCCESS : rc);
    if (v->root && one == MPI_SUCCESS)
        one = take_messages(v);
    return rc == MPI_SUCCESS ? one : rc;
}

static int gather(struct vector *v)
{
    int rc = prepare(v);
    struct hws_shm_blocks b = blocks_here(v);
    b.lens = v->lens;
    b.open = !v->root;
    b.base = v->memory && !v->root ? v->memory + head_len(v->n) : NULL;
    rc = hws_shm_gather(v->r, v->head_here, v->mine, b, rc);
    if (v->h)
        rc = gather_hosts(v, rc);
    return talk(v, build_gather_long, v->root ? has_long_to_take(v) : is_long(v, v->mine.len_bytes), rc);
}

int hws_gatherv_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct vector v;
    begin(&v, r, a, NULL);
    if (v.root && hws_coll_sits_out(a))
        return hws_shm_sit_out(r, a, v.limit);
    return finish(&v, gather(&v));
}

int hws_gatherv_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    struct vector v;
    begin(&v, r, a, a->comm->hosts);
    return finish(&v, gather(&v));
}

/* ---- scatterv ---------------------------------------------------------------------------------------------------- */

/* Fills the message for a host. Its bytes. */
static uint64_t write_message(const struct vector *v, int host)
{
    int n = hws_hosts_size(v->h, host);
    const int *ranks = v->h->ranks + v->h->first[host];
    uint64_t *lens = message_of(v, host);
    char *to = (char *)(lens + n);
    for (int i = 0; i < n; i++) {
        struct hws_data d = hws_sblock(v->a, ranks[i]);
        lens[i] = d.len_bytes;
        if (is_long(v, d.len_bytes))
            continue;
        hws_shm_put(to, d, 0, d.len_bytes);
        to += d.len_bytes;
    }
    return (uint64_t)(to - (char *)lens);
}

static void build_scatter_short(struct hws_sched *s, const struct vector *v)
{
    if (!v->root)
        hws_sched_recv(s, hws_bytes(v->memory, room_of(v, v->n)), v->a->root);
    for (int host = 0; v->root && host < v->h->n; host++) {
        struct hws_data d = hws_bytes(NULL, 1); /* without memory it takes part as failed */
        if (v->memory && is_apart(v, host))
            d = hws_bytes(message_of(v, host), write_message(v, host));
        if (is_apart(v, host))
            hws_sched_send(s, d, v->h->ranks[v->h->first[host]]);
    }
}

static void build_scatter_long(struct hws_sched *s, const struct vector *v)
{
    if (!v->root) {
        receive(s, v, v->mine, v->heard, v->a->root);
        return;
    }
    for (int i = 0; i < v->a->comm->size; i++) {
        struct hws_data d = hws_sblock(v->a, i);
        if (i != v->a->root && is_long(v, d.len_bytes))
            hws_sched_send(s, d, i);
    }
    if (copies_own(v))
        hws_sched_copy(s, hws_sblock(v->a, v->a->root), v->mine);
}

/* Whether the root has messages to send, or its own block to copy. */
static bool has_long_to_give(const struct vector *v)
{
    for (int i = 0; i < v->a->comm->size; i++)
        if (i != v->a->root && is_long(v, hws_sblock(v->a, i).len_bytes))
            return true;
    return copies_own(v);
}

/* Where the short blocks of a host's message are. */
static uint64_t *places_in(const struct vector *v)
{
    uint64_t *at = (uint64_t *)(void *)(v->memory + room_of(v, v->n)), next = head_len(v->n);
    for (int i = 0; i < v->n; i++) {
        at[i] = next;
        next += is_long(v, v->lens[i]) ? 0 : v->lens[i];
    }
    return at;
}

/* Deals to the ranks of this host; at a leader, by the message of the root. */
static int deal(struct vector *v, int rc)
{
    struct hws_shm_blocks b = blocks_here(v);
    b.lens = v->head ? v->lens : &v->heard;
    if (v->head && !v->root && rc == MPI_SUCCESS) {
        b.base = v->memory;
        b.at = places_in(v);
        v->heard = v->lens[0];
    }
    return hws_shm_scatter(v->r, v->head_here, b, v->mine, rc);
}

static int scatter(struct vector *v)
{
    int rc = v->h ? prepare(v) : MPI_SUCCESS;
    if (v->h)
        rc = talk(v, build_scatter_short, v->head, rc);
    rc = deal(v, rc);
    uint64_t len = v->heard == HWS_SLOT_BAD ? v->mine.len_bytes : v->heard;
    return talk(v, build_scatter_long, v->root ? has_long_to_give(v) : is_long(v, len), rc);
}

int hws_scatterv_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct vector v;
    begin(&v, r, a, NULL);
    if (!v.root && hws_coll_sits_out(a))
        return hws_shm_sit_out(r, a, v.limit);
    return finish(&v, scatter(&v));
}

int hws_scatterv_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    struct vector v;
    begin(&v, r, a, a->comm->hosts);
    return finish(&v, scatter(&v));
}
