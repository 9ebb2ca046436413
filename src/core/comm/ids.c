/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ids: see ids.h. Where there is no memory for what has to be remembered, an id is lost: its place is not used again.
 */
#include "core/comm/ids.h"

#include <stdlib.h>

#define BITS             (32 - HWS_CTX_KIND_BITS)
#define PLACE_BITS       11 /* of a leader at least, as long as generations have more than LEAST_GENERATION */
#define MOST_GENERATION  8
#define LEAST_GENERATION 2
#define FIRST_PLACES     64
#define NO_PLACE         UINT32_MAX

/* An id that members below this process, or itself, have left. */
struct leaving {
    struct hws_list node;
    uint32_t id;
    bool left;     /* this process, too; the two below are known then */
    int came, due; /* members right below it that have said so; that there are */
    int parent;
};

/* What is to be told to one peer. */
struct letter {
    struct hws_list node;
    int peer;
    unsigned n;
    uint32_t ids[HWS_IDS_LETTER];
};

static unsigned clamp(unsigned v, unsigned least, unsigned most)
{
    return v < least ? least : v > most ? most : v;
}

void hws_ids_init(struct hws_ids *s, int n_peers, int me,
                  void (*tell)(void *arg, int peer, const uint32_t *ids, unsigned n), void *arg)
{
    *s = (struct hws_ids){.me = me, .tell = tell, .arg = arg, .first_free = NO_PLACE, .last_free = NO_PLACE};
    s->peer_bits = n_peers > 1 ? 32u - (unsigned)__builtin_clz((unsigned)n_peers - 1) : 0;
    unsigned left = s->peer_bits + LEAST_GENERATION < BITS ? BITS - s->peer_bits : LEAST_GENERATION;
    s->generation_bits = clamp(left > PLACE_BITS ? left - PLACE_BITS : 0, LEAST_GENERATION, MOST_GENERATION);
    s->place_bits = left - s->generation_bits;
    s->per_letter = clamp((1u << s->place_bits) / 64, 1, HWS_IDS_LETTER);
    s->n_places = HWS_CTX_RESERVED;
    for (int i = 0; i < HWS_IDS_BUCKETS; i++) {
        hws_list_init(&s->leaving[i]);
        hws_list_init(&s->letters[i]);
    }
}

void hws_ids_fini(struct hws_ids *s)
{
    struct hws_list *n;
    for (int i = 0; i < HWS_IDS_BUCKETS; i++) {
        while ((n = hws_list_pop(&s->leaving[i])))
            free(hws_container_of(n, struct leaving, node));
        while ((n = hws_list_pop(&s->letters[i])))
            free(hws_container_of(n, struct letter, node));
    }
    free(s->places);
    s->places = NULL;
    s->n_places = s->cap = 0;
}

/* ---- own places -------------------------------------------------------------------------------------------------- */

static bool grow(struct hws_ids *s)
{
    uint32_t cap = s->cap ? 2 * s->cap : FIRST_PLACES;
    struct hws_ids_place *places = realloc(s->places, cap * sizeof *places);
    if (!places)
        return false;
    s->places = places;
    s->cap = cap;
    return true;
}

static uint32_t new_place(struct hws_ids *s)
{
    if (s->n_places >= 1u << s->place_bits || (s->n_places >= s->cap && !grow(s)))
        return NO_PLACE;
    s->places[s->n_places] = (struct hws_ids_place){NO_PLACE, 0, false};
    return s->n_places++;
}

static uint32_t old_place(struct hws_ids *s)
{
    uint32_t place = s->first_free;
    s->first_free = s->places[place].next_free;
    if (s->first_free == NO_PLACE)
        s->last_free = NO_PLACE;
    s->places[place].generation = (uint8_t)((s->places[place].generation + 1u) & ((1u << s->generation_bits) - 1));
    return place;
}

uint32_t hws_ids_take(struct hws_ids *s)
{
    uint32_t place = s->first_free != NO_PLACE ? old_place(s) : new_place(s);
    if (place == NO_PLACE)
        return HWS_CTX_NONE;
    s->places[place].taken = true;
    uint32_t count = (uint32_t)s->places[place].generation << s->place_bits | place;
    return (count << s->peer_bits | (uint32_t)s->me) << HWS_CTX_KIND_BITS;
}

void hws_ids_give(struct hws_ids *s, uint32_t id)
{
    uint32_t count = id >> HWS_CTX_KIND_BITS >> s->peer_bits, place = count & ((1u << s->place_bits) - 1);
    if (hws_ids_leader(s, id) != s->me || place >= s->n_places || place < HWS_CTX_RESERVED || !s->places[place].taken ||
        s->places[place].generation != count >> s->place_bits)
        return;
    s->places[place].taken = false;
    s->places[place].next_free = NO_PLACE;
    if (s->last_free != NO_PLACE)
        s->places[s->last_free].next_free = place;
    else
        s->first_free = place;
    s->last_free = place;
}

/* ---- who is through with which ----------------------------------------------------------------------------------- */

static struct hws_list *bucket_of(struct hws_list *buckets, uint32_t key)
{
    return &buckets[key * 0x9e3779b1u >> 26];
}

static void write_letter(struct hws_ids *s, int peer, uint32_t id)
{
    struct hws_list *b = bucket_of(s->letters, (uint32_t)peer), *n = b->next;
    while (n != b && hws_container_of(n, struct letter, node)->peer != peer)
        n = n->next;
    struct letter *l = n != b ? hws_container_of(n, struct letter, node) : calloc(1, sizeof *l);
    if (!l)
        return;
    if (n == b) {
        l->peer = peer;
        hws_list_push(b, &l->node);
    }
    l->ids[l->n++] = id;
    if (l->n < s->per_letter)
        return;
    l->n = 0;
    s->tell(s->arg, peer, l->ids, s->per_letter);
}

/* This process and all below it are through. */
static void all_left(struct hws_ids *s, uint32_t id, int parent)
{
    if (parent < 0)
        hws_ids_give(s, id);
    else
        write_letter(s, parent, id);
}

static struct leaving *find(struct hws_ids *s, uint32_t id)
{
    struct hws_list *b = bucket_of(s->leaving, id);
    for (struct hws_list *n = b->next; n != b; n = n->next) {
        struct leaving *l = hws_container_of(n, struct leaving, node);
        if (l->id == id)
            return l;
    }
    struct leaving *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->id = id;
    hws_list_push(b, &l->node);
    return l;
}

static void end_if_all(struct hws_ids *s, struct leaving *l)
{
    if (!l->left || l->came < l->due)
        return;
    uint32_t id = l->id;
    int parent = l->parent;
    hws_list_remove(&l->node);
    free(l);
    all_left(s, id, parent);
}

void hws_ids_leave(struct hws_ids *s, uint32_t id, int parent, int n_children)
{
    if (n_children == 0) {
        all_left(s, id, parent);
        return;
    }
    struct leaving *l = find(s, id);
    if (!l)
        return;
    l->left = true;
    l->due = n_children;
    l->parent = parent;
    end_if_all(s, l);
}

void hws_ids_told(struct hws_ids *s, const uint32_t *ids, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct leaving *l = find(s, ids[i]);
        if (!l)
            continue;
        l->came++;
        end_if_all(s, l);
    }
}
