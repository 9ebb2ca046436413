/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cpus: which processors the ranks of this host share. Whoever has bound a rank (mpirun, srun, taskset, a cpuset), it
 * sees its own processors only, so the ranks tell each other theirs. Those that mpirun has bound need not: it tells how
 * many there are in HAWSER_NODE_CPUS, and gives none to two ranks.
 */
#ifndef HWS_BASE_CPUS_H
#define HWS_BASE_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_NODE_CPUS_VAR "HAWSER_NODE_CPUS"
#define HWS_CPUS_WORDS    16                        /* 1024 processors, as in cpu_set_t */
#define HWS_CPUS_TEXT     (HWS_CPUS_WORDS * 16 + 1) /* characters of hws_cpus_text(), with the end */

/* Processor i is bit i % 64 of word i / 64. */
struct hws_cpus {
    uint64_t word[HWS_CPUS_WORDS];
};

/* Those of some ranks together, as one of them sees it. */
struct hws_cpus_sum {
    struct hws_cpus own, all;
    int n_within; /* ranks added that have no processor but own ones: they share these with nobody else */
};

/* What mpirun says; 0: nothing. */
int hws_cpus_told(void);

/* Those that this process may run on. False: more of them than fit. */
bool hws_cpus_own(struct hws_cpus *c);

int hws_cpus_count(const struct hws_cpus *c);

/* False: others may have processors that are not in c. */
bool hws_cpus_are_all(const struct hws_cpus *c);

void hws_cpus_begin(struct hws_cpus_sum *s, const struct hws_cpus *own);
/* One more rank, the own one too. */
void hws_cpus_add(struct hws_cpus_sum *s, const struct hws_cpus *rank);

/* n_ranks are more than the processors of all, or those that are bound to the own processors are more than these:
 * whoever spins then may keep the one from running that he waits for. */
bool hws_cpus_are_crowded(const struct hws_cpus_sum *s, int n_ranks);

/* As hexadecimal digits, and back; false: malformed. */
const char *hws_cpus_text(const struct hws_cpus *c, char text[HWS_CPUS_TEXT]);
bool hws_cpus_parse(struct hws_cpus *c, const char *text);

#endif
