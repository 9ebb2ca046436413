/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kvs: the key space of a job as one node sees it. Entries keep the order in which they came, so that those put since
 * the last barrier can be handed on. A batch is a run of entries as bytes: u32 length, key, u32 length, value, little
 * endian.
 */
#ifndef HWS_MPIRUN_KVS_H
#define HWS_MPIRUN_KVS_H

#include <stddef.h>

#include "mpirun/util/buf.h"

struct hws_kvs;

/* An empty key space; never NULL. fini frees it and all values given out. */
struct hws_kvs *hws_kvs_open(void);
void hws_kvs_fini(struct hws_kvs *k);

/* Stores a copy; a key that exists gets the new value. */
void hws_kvs_put(struct hws_kvs *k, const char *key, size_t key_len, const char *value, size_t value_len);

/* The value as a string, valid until the next put of that key; NULL: no such key. */
const char *hws_kvs_get(const struct hws_kvs *k, const char *key, size_t key_len);

/* Appends the entries put since the last call as a batch. */
void hws_kvs_take_batch(struct hws_kvs *k, struct hws_buf *out);

/* Stores a batch that came from elsewhere; its entries are not handed on again. HWS_EPROTO: not a batch. */
int hws_kvs_put_batch(struct hws_kvs *k, const char *data, size_t len);

#endif
