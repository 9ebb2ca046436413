/* SPDX-License-Identifier: BSD-3-Clause
 *
 * card_fuzz: the address card of another process. What the parser accepts prints again byte for byte.
 */
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "link/net/card.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hws_card c;
    char text[HWS_CARD_TEXT], *exact = malloc(size ? size : 1);
    if (!exact)
        return 0;
    memcpy(exact, data, size);
    int rc = hws_card_parse(exact, size, &c);
    require(rc == HWS_OK || rc == HWS_EPROTO);
    if (rc == HWS_OK) {
        require(c.n_addrs <= HWS_CARD_ADDRS);
        require(hws_card_format(&c, text, sizeof text) == HWS_OK);
        size_t len = strnlen(exact, size);
        require(strlen(text) == len && memcmp(text, exact, len) == 0);
    }
    free(exact);
    return 0;
}
