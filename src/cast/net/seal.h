/* SPDX-License-Identifier: BSD-3-Clause
 *
 * seal: what makes a packet the job's own: a MAC with a key that follows from the job's secret, and a group address
 * that does, too. libsodium: crypto_generichash (BLAKE2b), keyed.
 */
#ifndef HWS_CAST_SEAL_H
#define HWS_CAST_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/net/addr.h"

struct hws_seal {
    uint8_t key[32]; /* hws_launcher_key("multicast") */
};

/* Puts the MAC behind bytes[len]. Returns the length with it. */
size_t hws_seal_put(const struct hws_seal *s, uint8_t *bytes, size_t len);

/* The length without the MAC; 0: not of this job, or damaged. */
size_t hws_seal_check(const struct hws_seal *s, const uint8_t *bytes, size_t len);

/* The job's group of a family: 239.192.0.0/14 (organisation) or ff15::/16 (site, transient), and a port from 20000 to
 * 29999, below those that kernels give away. Two jobs have the same by chance only, and then the MAC tells them apart.
 */
struct hws_addr hws_seal_group(const struct hws_seal *s, int family, uint16_t *port);

#endif
