/* SPDX-License-Identifier: BSD-3-Clause
 *
 * auth: both ends prove that they hold the job's secret without sending it. Each MAC covers both nonces, both ranks and
 * the role, so an answer can't be replayed or reflected. libsodium: crypto_auth (HMAC-SHA512-256), randombytes.
 */
#include <sodium.h>
#include <string.h>

#include "peer/conn/conn.h"

_Static_assert(crypto_auth_BYTES == HWS_MAC_LEN, "MAC length on the wire");
_Static_assert(crypto_auth_KEYBYTES == 32, "length of the job's secret");

_Static_assert(crypto_auth_BYTES == HWS_LINK_KEY_LEN, "length of a link's key");

#define ROLE_LEN 8

int hws_auth_init(void)
{
    return sodium_init() < 0 ? HWS_ESYS : HWS_OK;
}

void hws_auth_nonce(uint8_t nonce[HWS_NONCE_LEN])
{
    randombytes_buf(nonce, HWS_NONCE_LEN);
}

static void transcript(uint8_t dst[ROLE_LEN + 2 * HWS_HELLO_LEN], const char *role, const uint8_t *hello,
                       const uint8_t *challenge)
{
    memset(dst, 0, ROLE_LEN);
    memcpy(dst, role, strnlen(role, ROLE_LEN));
    memcpy(dst + ROLE_LEN, hello, HWS_HELLO_LEN);
    memcpy(dst + ROLE_LEN + HWS_HELLO_LEN, challenge, HWS_HELLO_LEN);
}

void hws_auth_mac(const uint8_t secret[32], const char *role, const uint8_t hello[HWS_HELLO_LEN],
                  const uint8_t challenge[HWS_HELLO_LEN], uint8_t mac[HWS_MAC_LEN])
{
    uint8_t text[ROLE_LEN + 2 * HWS_HELLO_LEN];
    transcript(text, role, hello, challenge);
    crypto_auth(mac, text, sizeof text, secret);
}

void hws_auth_key(const uint8_t secret[32], const char *purpose, uint8_t key[HWS_LINK_KEY_LEN])
{
    crypto_auth(key, (const uint8_t *)purpose, strlen(purpose), secret);
}

bool hws_auth_check(const uint8_t secret[32], const char *role, const uint8_t hello[HWS_HELLO_LEN],
                    const uint8_t challenge[HWS_HELLO_LEN], const uint8_t mac[HWS_MAC_LEN])
{
    uint8_t text[ROLE_LEN + 2 * HWS_HELLO_LEN];
    transcript(text, role, hello, challenge);
    return crypto_auth_verify(mac, text, sizeof text, secret) == 0;
}
