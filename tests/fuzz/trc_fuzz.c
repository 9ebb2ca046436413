/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_fuzz: what arrives on a connection of tcp-trc: the preamble, then messages, each behind its word. What is
 * accepted has a legal length and encodes to the bytes that came; of a word that is cut the rest is waited for.
 */
#include <stdlib.h>
#include <string.h>

#include "wire/trc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void take_value(const uint8_t *src)
{
    uint8_t again[HWS_TRC_VALUE];
    hws_trc_value_encode(again, hws_trc_value_decode(src));
    require(memcmp(again, src, sizeof again) == 0);
}

/* The messages of a connection, up to the first one that is none or that is cut. */
static void take_messages(const uint8_t *src, size_t len, bool is_main)
{
    struct hws_trc_word w;
    uint8_t again[HWS_TRC_WORD];
    int rc;
    while ((rc = hws_trc_word_decode(src, len, is_main, &w)) == HWS_OK) {
        require(w.kind > 0 && w.kind < HWS_TRC_KINDS && w.len <= HWS_TRC_MESSAGE);
        require(is_main ? w.kind != HWS_TRC_FIN : w.kind == HWS_TRC_WHOLE || w.kind == HWS_TRC_FIN);
        hws_trc_word_encode(again, w.kind, w.len);
        require(memcmp(again, src, sizeof again) == 0);
        for (size_t k = 0; k < HWS_TRC_WORD; k++)
            require(hws_trc_word_decode(src, k, is_main, &w) == HWS_EAGAIN);
        if (w.len > len - HWS_TRC_WORD)
            return;
        if (w.kind >= HWS_TRC_OPEN) {
            require(w.len == HWS_TRC_VALUE);
            take_value(src + HWS_TRC_WORD);
        }
        src += HWS_TRC_WORD + w.len;
        len -= HWS_TRC_WORD + w.len;
    }
    require(rc == (len < HWS_TRC_WORD ? HWS_EAGAIN : HWS_EPROTO));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hws_trc_preamble p;
    uint8_t again[HWS_TRC_PREAMBLE];
    uint8_t *exact = malloc(size ? size : 1); /* so that a read behind the end is seen */
    if (!exact)
        return 0;
    memcpy(exact, data, size);
    require(size == HWS_TRC_PREAMBLE || hws_trc_preamble_decode(exact, size, &p) == HWS_EPROTO);
    if (size >= HWS_TRC_PREAMBLE && hws_trc_preamble_decode(exact, HWS_TRC_PREAMBLE, &p) == HWS_OK) {
        require(p.kind == HWS_TRC_MAIN || p.kind == HWS_TRC_STREAM);
        hws_trc_preamble_encode(again, &p);
        require(memcmp(again, exact, sizeof again) == 0);
        take_messages(exact + HWS_TRC_PREAMBLE, size - HWS_TRC_PREAMBLE, p.kind == HWS_TRC_MAIN);
    }
    free(exact);
    return 0;
}
