/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HWS_PEER_SPIN_H
#define HWS_PEER_SPIN_H
#include <stdbool.h>
#include <stdint.h>
struct hws_spin { uint64_t max, cur; };
static inline void hws_spin_init(struct hws_spin *s, uint64_t max_ns, int n_local, int n_cpus) { s->max = s->cur = n_local > n_cpus ? 0 : max_ns; }
static inline uint64_t hws_spin_budget(const struct hws_spin *s) { return s->cur; }
static inline void hws_spin_learn(struct hws_spin *s, uint64_t w, bool f) { (void)s; (void)w; (void)f; }
#endif
