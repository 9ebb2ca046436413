/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frag: how a message is cut. Pure arithmetic: sizes and credit in, fragments out (docs/design.md, Sending; LA-MPI:
 * first fragment up to -tcpeagersend, the rest in fragments of -tcpmaxfrag after the clear to send).
 */
#ifndef HWS_FRAG_FRAG_H
#define HWS_FRAG_FRAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a message begins. */
struct hws_first {
    bool rendezvous; /* RTS; false: the fragment is the whole message */
    bool no_credit;  /* credit was short: it might have carried more */
    uint32_t len;    /* payload bytes of the first fragment */
    uint64_t charge; /* credit it costs (bytes) */
};

/* msg_len bytes to send; at most `eager` of them in the first fragment; `credit` bytes of credit left, at least
 * `envelope`, of which a first fragment costs its payload and `envelope`. Never charges more than credit. */
static inline struct hws_first hws_frag_first(uint64_t msg_len, uint64_t eager, uint64_t credit, uint32_t envelope)
{
    struct hws_first f = {.rendezvous = msg_len > eager};
    uint64_t len = f.rendezvous ? eager : msg_len;
    if (len + envelope > credit) {
        f.rendezvous = f.no_credit = true;
        len = 0;
    }
    f.len = (uint32_t)len;
    f.charge = len + envelope;
    return f;
}

/* Length of the fragment of a message at `offset` when the receiver takes `limit` bytes; 0: none left. */
static inline size_t hws_frag_next(uint64_t offset, uint64_t limit, uint64_t max_frag)
{
    uint64_t left = limit > offset ? limit - offset : 0;
    return (size_t)(left < max_frag ? left : max_frag);
}

/* The credit that a first fragment on the wire has cost its sender, seen by the receiver. `free`: it was asked for. */
static inline uint32_t hws_frag_charge(bool free, uint32_t len, uint32_t envelope)
{
    return free ? 0 : len + envelope;
}

#endif
