/* SPDX-License-Identifier: BSD-3-Clause
 *
 * records: see the header. The writer may have died at any point, so counts are checked here as well.
 */
#include "mpirun/page/records.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static uint32_t at_most(uint32_t n, uint32_t max)
{
    return n < max ? n : max;
}

static void add_name(struct hws_buf *out, const char *text, size_t size)
{
    hws_add_text(out, text, strnlen(text, size - 1));
}

/* ---- at the host ----------------------------------------------------------------------------------------------- */

static void encode_lanes(const struct hws_profile *p, struct hws_buf *out)
{
    uint32_t n = at_most(p->n_lanes, HWS_PROFILE_LANES);
    hws_add_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct hws_profile_lane *l = &p->lanes[i];
        uint32_t n_slots = 0;
        for (int k = 0; k < HWS_PROFILE_SLOTS; k++)
            n_slots += l->bytes[k] != 0;
        add_name(out, l->name, sizeof l->name);
        hws_add_u32(out, n_slots);
        for (uint32_t k = 0; k < HWS_PROFILE_SLOTS; k++)
            if (l->bytes[k]) {
                hws_add_u32(out, k);
                hws_add_u64(out, l->bytes[k]);
            }
    }
}

static void encode_calls(const struct hws_profile *p, struct hws_buf *out)
{
    uint32_t n_calls = at_most(p->n_calls, HWS_PROFILE_CALLS), n = 0;
    for (uint32_t i = 0; i < n_calls; i++)
        n += p->calls[i].n != 0;
    hws_add_u32(out, n);
    for (uint32_t i = 0; i < n_calls; i++)
        if (p->calls[i].n) {
            add_name(out, p->calls[i].name, sizeof p->calls[i].name);
            hws_add_u64(out, p->calls[i].n);
            hws_add_u64(out, p->calls[i].ns);
            hws_add_u64(out, p->calls[i].wait_ns);
        }
}

static void encode_slow(const struct hws_profile *p, struct hws_buf *out)
{
    uint32_t n = at_most(p->n_slow, HWS_PROFILE_SLOWEST);
    hws_add_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct hws_profile_slow *s = &p->slow[i];
        add_name(out, s->name, sizeof s->name);
        add_name(out, s->comm, sizeof s->comm);
        hws_add_u64(out, s->begin_ns);
        hws_add_u64(out, s->ns);
        hws_add_u64(out, (uint64_t)s->peer);
        hws_add_u64(out, s->bytes);
    }
}

static void encode_peers(const struct hws_profile *p, int n_ranks, struct hws_buf *out)
{
    uint32_t n = 0;
    for (int i = 0; i < n_ranks; i++)
        n += p->peers[i].messages != 0;
    hws_add_u32(out, n);
    for (int i = 0; i < n_ranks; i++)
        if (p->peers[i].messages) {
            hws_add_u32(out, (uint32_t)i);
            hws_add_u32(out, p->peers[i].way == HWS_PROFILE_SHM ? HWS_PROFILE_SHM : HWS_PROFILE_NET);
            hws_add_u64(out, p->peers[i].bytes);
            hws_add_u64(out, p->peers[i].messages);
        }
}

void hws_page_encode(const struct hws_profile *p, int rank, int n_ranks, struct hws_buf *out)
{
    if (p->version != HWS_PROFILE_VERSION || p->n_ranks != (uint32_t)n_ranks)
        return;
    const uint64_t times[] = {p->begin_ns, p->elapsed_ns, p->slot_ns, p->sampled_ns, p->in_mpi_ns, p->wait_ns};
    hws_add_u32(out, (uint32_t)rank);
    hws_add_u32(out, p->has_calls);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        hws_add_u64(out, times[i]);
    encode_lanes(p, out);
    encode_calls(p, out);
    encode_slow(p, out);
    encode_peers(p, n_ranks, out);
}

/* ---- at mpirun ------------------------------------------------------------------------------------------------- */

static void read_name(struct hws_reader *in, char *out, size_t size)
{
    size_t len;
    const char *text = hws_read_text(in, &len);
    len = len < size ? len : size - 1;
    for (size_t i = 0; i < len; i++)
        out[i] = (char)(isprint((unsigned char)text[i]) ? text[i] : '?');
    out[len] = '\0';
}

/* How many elements follow, each of at least so many bytes. */
static int read_count(struct hws_reader *in, uint32_t max, size_t min_bytes)
{
    uint32_t n = hws_read_u32(in);
    in->bad |= n > max || n > in->len / min_bytes;
    return in->bad ? 0 : (int)n;
}

static void decode_lane(struct hws_reader *in, struct hws_profile_lane *l)
{
    read_name(in, l->name, sizeof l->name);
    int n = read_count(in, HWS_PROFILE_SLOTS, 12);
    for (int i = 0; i < n; i++) {
        uint32_t k = hws_read_u32(in);
        uint64_t bytes = hws_read_u64(in);
        in->bad |= k >= HWS_PROFILE_SLOTS;
        if (!in->bad)
            l->bytes[k] = bytes;
    }
}

static void decode_calls(struct hws_reader *in, struct hws_page_rank *r)
{
    r->n_calls = read_count(in, HWS_PROFILE_CALLS, 28);
    r->calls = hws_xcalloc((size_t)r->n_calls + 1, sizeof *r->calls);
    for (int i = 0; i < r->n_calls; i++) {
        struct hws_profile_call *c = &r->calls[i];
        read_name(in, c->name, sizeof c->name);
        c->n = hws_read_u64(in);
        c->ns = hws_read_u64(in);
        c->wait_ns = hws_read_u64(in);
    }
}

static void decode_slow(struct hws_reader *in, struct hws_page_rank *r)
{
    r->n_slow = read_count(in, HWS_PROFILE_SLOWEST, 40);
    r->slow = hws_xcalloc((size_t)r->n_slow + 1, sizeof *r->slow);
    for (int i = 0; i < r->n_slow; i++) {
        struct hws_profile_slow *s = &r->slow[i];
        read_name(in, s->name, sizeof s->name);
        read_name(in, s->comm, sizeof s->comm);
        s->begin_ns = hws_read_u64(in);
        s->ns = hws_read_u64(in);
        s->peer = (int64_t)hws_read_u64(in);
        s->bytes = hws_read_u64(in);
    }
}

static void decode_peers(struct hws_reader *in, int n_ranks, struct hws_page_rank *r)
{
    r->n_peers = read_count(in, (uint32_t)n_ranks, 24);
    r->peers = hws_xcalloc((size_t)r->n_peers + 1, sizeof *r->peers);
    for (int i = 0; i < r->n_peers; i++) {
        struct hws_page_peer *p = &r->peers[i];
        uint32_t rank = hws_read_u32(in);
        in->bad |= rank >= (uint32_t)n_ranks;
        p->rank = in->bad ? 0 : (int)rank;
        p->way = hws_read_u32(in) == HWS_PROFILE_SHM ? HWS_PROFILE_SHM : HWS_PROFILE_NET;
        p->bytes = hws_read_u64(in);
        p->messages = hws_read_u64(in);
    }
}

bool hws_page_decode(struct hws_reader *in, int n_ranks, int *rank, struct hws_page_rank *out)
{
    uint32_t number = hws_read_u32(in);
    *out = (struct hws_page_rank){.has_data = true};
    *rank = (int)number;
    out->has_calls = hws_read_u32(in) != 0;
    uint64_t *const times[] = {&out->begin_ns,   &out->elapsed_ns, &out->slot_ns,
                               &out->sampled_ns, &out->in_mpi_ns,  &out->wait_ns};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *times[i] = hws_read_u64(in);
    out->n_lanes = read_count(in, HWS_PROFILE_LANES, 8);
    out->lanes = hws_xcalloc((size_t)out->n_lanes + 1, sizeof *out->lanes);
    for (int i = 0; i < out->n_lanes; i++)
        decode_lane(in, &out->lanes[i]);
    decode_calls(in, out);
    decode_slow(in, out);
    decode_peers(in, n_ranks, out);
    return !in->bad && number < (uint32_t)n_ranks && out->slot_ns > 0;
}

void hws_page_rank_fini(struct hws_page_rank *r)
{
    free(r->lanes);
    free(r->calls);
    free(r->slow);
    free(r->peers);
    *r = (struct hws_page_rank){0};
}
