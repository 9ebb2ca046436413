/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine_fuzz: a whole engine at whose other end sits the input. The first byte chooses what it says: 0: bytes instead
 * of a hello; 1: a right hello, then bytes instead of a proof; else: a whole right hello, then bytes as frames, while
 * the engine has receives posted and sends under way (4: the connection keeps what is not acknowledged). The engine
 * must end every operation or leave it waiting, and nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include "../sim/stranger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_RECVS = 4, N_SENDS = 3, ROOM = 3000 };

static const size_t send_lens[N_SENDS] = {10, 2000, 50000};

struct work {
    struct hws_recv_op recvs[N_RECVS];
    struct hws_send_op sends[N_SENDS];
    uint8_t *in[N_RECVS], *out[N_SENDS];
};

static void require(int holds)
{
    if (!holds)
        abort();
}

static void begin_work(struct stranger *s, struct work *w)
{
    static const int32_t tags[N_RECVS] = {0, 1, HWS_ANY_TAG, HWS_ANY_TAG};
    for (int i = 0; i < N_RECVS; i++) {
        w->in[i] = malloc(ROOM);
        require(w->in[i] != NULL);
        w->recvs[i] =
            (struct hws_recv_op){.data = {w->in[i], ROOM, NULL}, .peer = i % 2 ? 1 : HWS_ANY_PEER, .tag = tags[i]};
        hws_engine_recv(s->engine, &w->recvs[i]);
    }
    for (int i = 0; i < N_SENDS; i++) {
        w->out[i] = calloc(1, send_lens[i]);
        require(w->out[i] != NULL);
        w->sends[i] = (struct hws_send_op){.data = {w->out[i], send_lens[i], NULL}, .peer = 1, .tag = i};
        w->sends[i].mode = i == 1 ? HWS_SYNC : HWS_STANDARD;
        hws_engine_send(s->engine, &w->sends[i]);
    }
}

static void end_work(struct stranger *s, struct work *w)
{
    for (int i = 0; i < N_RECVS; i++) {
        const struct hws_recv_op *op = &w->recvs[i];
        require(!op->done || op->err != HWS_OK || op->from_len <= ROOM);
        require(!s->n_lost || op->done || op->peer == HWS_ANY_PEER);
    }
    for (int i = 0; i < N_SENDS; i++)
        require(!s->n_lost || w->sends[i].done);
    require(s->n_lost <= 1);
}

static void talk(struct stranger *s, const uint8_t *data, size_t size)
{
    uint8_t mode = size ? data[0] : 0;
    struct hws_hello h = stranger_hello(s);
    if (mode == 0 && !stranger_dial(s))
        return;
    if (mode == 1 && !(stranger_dial(s) && stranger_greet(s, &h)))
        return;
    s->keeps = mode & 4;
    if (mode > 1)
        require(stranger_connect(s));
    if (size > 1)
        stranger_say(s, data + 1, size - 1);
    stranger_settle(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stranger s;
    struct work w;
    memset(&w, 0, sizeof w);
    require(stranger_open(&s));
    bool has_work = size && data[0] > 1;
    if (size > 1 && data[0] > 2) { /* the receives first, so that frames meet them; the sends need a connection */
        begin_work(&s, &w);
        has_work = false;
    }
    talk(&s, data, size);
    if (has_work && !s.n_lost)
        begin_work(&s, &w);
    stranger_settle(&s);
    if (w.in[0])
        end_work(&s, &w);
    stranger_close(&s);
    for (int i = 0; i < N_RECVS; i++)
        free(w.in[i]);
    for (int i = 0; i < N_SENDS; i++)
        free(w.out[i]);
    return 0;
}
