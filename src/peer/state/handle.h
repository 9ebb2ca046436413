/* SPDX-License-Identifier: BSD-3-Clause
 *
 * handle: numbers by which peers name operations on the wire: sends, receives and questions that wait for an answer.
 */
#ifndef HWS_PEER_STATE_HANDLE_H
#define HWS_PEER_STATE_HANDLE_H

#include <stdint.h>

struct hws_engine;

#define HWS_NO_SLOT UINT32_MAX

/* One table holds both; a peer that names a send where a receive is due must not be believed. */
enum hws_handle_kind { HWS_HANDLE_SEND, HWS_HANDLE_RECV, HWS_HANDLE_CANCEL };

struct hws_slot {
    void *op;
    enum hws_handle_kind kind;
    uint32_t generation;
    uint32_t next_free;
};

uint64_t hws_handle_new(struct hws_engine *e, enum hws_handle_kind kind, void *op);           /* 0: no memory */
void *hws_handle_get(const struct hws_engine *e, enum hws_handle_kind kind, uint64_t handle); /* NULL: no such one */
void hws_handle_free(struct hws_engine *e, uint64_t handle);

#endif
