/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kvs: chained hash table of strings plus the order of arrival.
 */
#include "mpirun/pmi/kvs.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/hash.h"

struct entry {
    struct entry *next; /* in its slot */
    uint64_t hash;
    size_t key_len, value_len;
    char *value;
    bool is_new; /* listed in `fresh` */
    char key[];
};

struct hws_kvs {
    struct entry **slots; /* n_slots is a power of two */
    size_t n_slots, n;
    struct entry **fresh; /* put since the last batch was taken */
    size_t n_fresh, fresh_cap;
};

static uint64_t hash_bytes(const char *s, size_t len)
{
    uint64_t h = hws_hash(HWS_HASH_START, s, len);
    return h ^ h >> 32;
}

struct hws_kvs *hws_kvs_open(void)
{
    struct hws_kvs *k = hws_xcalloc(1, sizeof *k);
    k->n_slots = 64;
    k->slots = hws_xcalloc(k->n_slots, sizeof *k->slots);
    return k;
}

void hws_kvs_fini(struct hws_kvs *k)
{
    for (size_t i = 0; k && i < k->n_slots; i++)
        for (struct entry *e = k->slots[i], *next; e; e = next) {
            next = e->next;
            free(e->value);
            free(e);
        }
    if (k) {
        free(k->slots);
        free(k->fresh);
    }
    free(k);
}

static struct entry *find(const struct hws_kvs *k, uint64_t hash, const char *key, size_t len)
{
    for (struct entry *e = k->slots[hash & (k->n_slots - 1)]; e; e = e->next)
        if (e->hash == hash && e->key_len == len && memcmp(e->key, key, len) == 0)
            return e;
    return NULL;
}

static void grow(struct hws_kvs *k)
{
    size_t n_slots = k->n_slots * 2;
    struct entry **slots = hws_xcalloc(n_slots, sizeof *slots);
    for (size_t i = 0; i < k->n_slots; i++)
        for (struct entry *e = k->slots[i], *next; e; e = next) {
            next = e->next;
            e->next = slots[e->hash & (n_slots - 1)];
            slots[e->hash & (n_slots - 1)] = e;
        }
    free(k->slots);
    k->slots = slots;
    k->n_slots = n_slots;
}

static struct entry *store(struct hws_kvs *k, const char *key, size_t key_len, const char *value, size_t value_len)
{
    uint64_t hash = hash_bytes(key, key_len);
    struct entry *e = find(k, hash, key, key_len);
    if (!e) {
        if (k->n >= k->n_slots)
            grow(k);
        e = hws_xcalloc(1, sizeof *e + key_len);
        e->hash = hash;
        e->key_len = key_len;
        memcpy(e->key, key, key_len);
        e->next = k->slots[hash & (k->n_slots - 1)];
        k->slots[hash & (k->n_slots - 1)] = e;
        k->n++;
    }
    free(e->value);
    e->value = hws_xstrndup(value, value_len);
    e->value_len = strlen(e->value);
    return e;
}

void hws_kvs_put(struct hws_kvs *k, const char *key, size_t key_len, const char *value, size_t value_len)
{
    struct entry *e = store(k, key, key_len, value, value_len);
    if (e->is_new)
        return;
    if (k->n_fresh == k->fresh_cap) {
        k->fresh_cap = k->fresh_cap ? k->fresh_cap * 2 : 64;
        k->fresh = hws_xrealloc(k->fresh, k->fresh_cap * sizeof *k->fresh);
    }
    e->is_new = true;
    k->fresh[k->n_fresh++] = e;
}

const char *hws_kvs_get(const struct hws_kvs *k, const char *key, size_t key_len)
{
    struct entry *e = find(k, hash_bytes(key, key_len), key, key_len);
    return e ? e->value : NULL;
}

static void append_text(struct hws_buf *out, const char *s, size_t len)
{
    unsigned char head[4] = {(unsigned char)len, (unsigned char)(len >> 8), (unsigned char)(len >> 16),
                             (unsigned char)(len >> 24)};
    hws_buf_append(out, head, sizeof head);
    hws_buf_append(out, s, len);
}

void hws_kvs_take_batch(struct hws_kvs *k, struct hws_buf *out)
{
    for (size_t i = 0; i < k->n_fresh; i++) {
        struct entry *e = k->fresh[i];
        append_text(out, e->key, e->key_len);
        append_text(out, e->value, e->value_len);
        e->is_new = false;
    }
    k->n_fresh = 0;
}

/* One text of a batch; returns false when the bytes end too early. */
static bool take_text(const char **data, size_t *len, const char **text, size_t *text_len)
{
    if (*len < 4)
        return false;
    const unsigned char *h = (const unsigned char *)*data;
    size_t n = h[0] | (size_t)h[1] << 8 | (size_t)h[2] << 16 | (size_t)h[3] << 24;
    if (n > *len - 4)
        return false;
    *text = *data + 4;
    *text_len = n;
    *data += 4 + n;
    *len -= 4 + n;
    return true;
}

int hws_kvs_put_batch(struct hws_kvs *k, const char *data, size_t len)
{
    while (len) {
        const char *key, *value;
        size_t key_len, value_len;
        if (!take_text(&data, &len, &key, &key_len) || !take_text(&data, &len, &value, &value_len))
            return HWS_EPROTO;
        struct entry *own = find(k, hash_bytes(key, key_len), key, key_len);
        if (!own || !own->is_new) /* a rank here has put a newer value while the barrier was under way */
            store(k, key, key_len, value, value_len);
    }
    return HWS_OK;
}
