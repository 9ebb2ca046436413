/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message: what is sent to a group and received from it, in the caller's memory, and the states of both ends
 * (message.c; docs/states.md). A message finds its receive by sender and tag, so those of one sender that are under way
 * at the same time have tags of their own.
 */
#ifndef HWS_CAST_MESSAGE_H
#define HWS_CAST_MESSAGE_H

#include "base/errors.h"
#include "base/lifecycle.h"
#include "base/list.h"

enum hws_cast_out_state { HWS_CAST_QUEUED, HWS_CAST_SENDING, HWS_CAST_OWED, HWS_CAST_SENT, HWS_CAST_OUT_N };
enum hws_cast_in_state { HWS_CAST_AWAITED, HWS_CAST_COMING, HWS_CAST_KEPT, HWS_CAST_CAME, HWS_CAST_IN_N };

/* A message to all others. The memory at `data` must stay until on_done. */
struct hws_cast_send {
    uint64_t tag;
    const void *data;
    uint64_t len;
    void (*on_done)(struct hws_cast_send *op); /* may free it */
    /* set by the group */
    enum hws_cast_out_state state; /* hws_cast_send_become() writes it, nobody else */
    enum hws_err err;              /* HWS_EPEERDEAD: a member was dropped before it had all */
    struct hws_list node;
    uint64_t first, n; /* its packets: first .. first + n - 1 */
};

/* A message from one member. */
struct hws_cast_recv {
    uint64_t tag;
    int from; /* member */
    void *data;
    uint64_t room;
    void (*on_done)(struct hws_cast_recv *op); /* may free it */
    /* set by the group */
    enum hws_cast_in_state state; /* hws_cast_recv_become() writes it, nobody else */
    enum hws_err err;             /* HWS_ETRUNCATE: longer than room */
    uint64_t len, got, end;       /* bytes of the message; that are here; behind the last of them */
    uint64_t packets;             /* of it that are here */
    struct hws_list node;
};

extern const struct hws_lifecycle hws_cast_sends, hws_cast_recvs;
void hws_cast_send_become(struct hws_cast_send *op, enum hws_cast_out_state next);
void hws_cast_recv_become(struct hws_cast_recv *op, enum hws_cast_in_state next);

#endif
