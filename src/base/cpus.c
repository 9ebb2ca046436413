/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cpus: see the header.
 */
#include "base/cpus.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/params.h"

int hws_cpus_told(void)
{
    const char *told = getenv(HWS_NODE_CPUS_VAR);
    uint64_t n;
    return told && hws_parse_size(told, &n) == HWS_OK && n <= INT_MAX ? (int)n : 0;
}

bool hws_cpus_own(struct hws_cpus *c)
{
    cpu_set_t set;
    memset(c, 0, sizeof *c);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return false;
    for (int i = 0; i < CPU_SETSIZE && i < HWS_CPUS_WORDS * 64; i++)
        if (CPU_ISSET(i, &set))
            c->word[i / 64] |= 1ull << (i % 64);
    return true;
}

int hws_cpus_count(const struct hws_cpus *c)
{
    int n = 0;
    for (int i = 0; i < HWS_CPUS_WORDS; i++)
        n += __builtin_popcountll(c->word[i]);
    return n;
}

bool hws_cpus_are_all(const struct hws_cpus *c)
{
    return hws_cpus_count(c) >= sysconf(_SC_NPROCESSORS_ONLN);
}

void hws_cpus_begin(struct hws_cpus_sum *s, const struct hws_cpus *own)
{
    *s = (struct hws_cpus_sum){.own = *own};
}

void hws_cpus_add(struct hws_cpus_sum *s, const struct hws_cpus *rank)
{
    bool is_within = true;
    for (int i = 0; i < HWS_CPUS_WORDS; i++) {
        s->all.word[i] |= rank->word[i];
        is_within &= !(rank->word[i] & ~s->own.word[i]);
    }
    s->n_within += is_within;
}

bool hws_cpus_are_crowded(const struct hws_cpus_sum *s, int n_ranks)
{
    return n_ranks > hws_cpus_count(&s->all) || s->n_within > hws_cpus_count(&s->own);
}

const char *hws_cpus_text(const struct hws_cpus *c, char text[HWS_CPUS_TEXT])
{
    int last = HWS_CPUS_WORDS - 1;
    while (last > 0 && !c->word[last])
        last--;
    for (char *at = text; last >= 0; last--, at += 16)
        snprintf(at, 17, "%016" PRIx64, c->word[last]);
    return text;
}

bool hws_cpus_parse(struct hws_cpus *c, const char *text)
{
    size_t len = strlen(text);
    memset(c, 0, sizeof *c);
    if (len == 0 || len % 16 || len >= HWS_CPUS_TEXT || strspn(text, "0123456789abcdef") != len)
        return false;
    for (size_t i = 0; i < len / 16; i++)
        sscanf(text + len - 16 * (i + 1), "%16" SCNx64, &c->word[i]);
    return true;
}
