/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hello_fuzz: the four messages of the hello, each decoder on every input. What is accepted encodes to an equal
 * message.
 */
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void try_hello(const uint8_t *bytes, size_t size, uint8_t kind)
{
    struct hws_hello h, again;
    uint8_t out[HWS_CHALLENGE_LEN] = {0};
    memset(&h, 0, sizeof h);
    memset(&again, 0, sizeof again);
    int rc = hws_hello_decode(bytes, size, kind, &h);
    require(rc == HWS_OK || rc == HWS_EPROTO);
    if (rc != HWS_OK)
        return;
    require(h.kind == kind && size == (kind == HWS_HELLO ? HWS_HELLO_LEN : HWS_CHALLENGE_LEN));
    hws_hello_encode(out, &h);
    require(hws_hello_decode(out, size, kind, &again) == HWS_OK);
    require(memcmp(&h, &again, sizeof h) == 0);
}

static void try_proof(const uint8_t *bytes, size_t size)
{
    uint8_t mac[HWS_MAC_LEN], out[HWS_PROOF_LEN];
    if (hws_proof_decode(bytes, size, mac) != HWS_OK)
        return;
    require(size == HWS_PROOF_LEN);
    hws_proof_encode(out, mac);
    require(memcmp(out + HWS_PROOF_LEN - HWS_MAC_LEN, bytes + HWS_PROOF_LEN - HWS_MAC_LEN, HWS_MAC_LEN) == 0);
}

static void try_verdict(const uint8_t *bytes, size_t size)
{
    enum hws_verdict v = HWS_VERDICT_N;
    int rc = hws_verdict_decode(bytes, size, &v);
    require(rc == HWS_OK ? v < HWS_VERDICT_N && size == HWS_VERDICT_LEN : rc == HWS_EPROTO);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return 0;
    memcpy(exact, data, size);
    try_hello(exact, size, HWS_HELLO);
    try_hello(exact, size, HWS_CHALLENGE);
    try_proof(exact, size);
    try_verdict(exact, size);
    free(exact);
    return 0;
}
