/* SPDX-License-Identifier: BSD-3-Clause
 *
 * seal: see seal.h.
 */
#include "cast/net/seal.h"

#include <sodium.h>
#include <string.h>

#include "wire/bytes.h"
#include "wire/cast.h"

_Static_assert(HWS_CAST_MAC >= crypto_generichash_BYTES_MIN, "length of the MAC");

#define FIRST_PORT 20000u
#define N_PORTS    10000u

static void mac_of(const struct hws_seal *s, const uint8_t *bytes, size_t len, uint8_t mac[HWS_CAST_MAC])
{
    crypto_generichash(mac, HWS_CAST_MAC, bytes, len, s->key, sizeof s->key);
}

size_t hws_seal_put(const struct hws_seal *s, uint8_t *bytes, size_t len)
{
    mac_of(s, bytes, len, bytes + len);
    return len + HWS_CAST_MAC;
}

size_t hws_seal_check(const struct hws_seal *s, const uint8_t *bytes, size_t len)
{
    uint8_t mac[HWS_CAST_MAC];
    if (len <= HWS_CAST_MAC)
        return 0;
    mac_of(s, bytes, len - HWS_CAST_MAC, mac);
    return sodium_memcmp(mac, bytes + len - HWS_CAST_MAC, HWS_CAST_MAC) == 0 ? len - HWS_CAST_MAC : 0;
}

struct hws_addr hws_seal_group(const struct hws_seal *s, int family, uint16_t *port)
{
    static const char purpose[] = "address of the group";
    uint8_t random[HWS_CAST_MAC];
    struct hws_addr a = {.family = (uint8_t)family};
    mac_of(s, (const uint8_t *)purpose, sizeof purpose, random);
    *port = (uint16_t)(FIRST_PORT + hws_get16(random) % N_PORTS);
    if (family == 4) {
        a.bytes[0] = 239;
        a.bytes[1] = (uint8_t)(192 | (random[2] & 3));
        memcpy(a.bytes + 2, random + 3, 2);
        return a;
    }
    memcpy(a.bytes, random, sizeof a.bytes);
    a.bytes[0] = 0xff;
    a.bytes[1] = 0x15;
    return a;
}
