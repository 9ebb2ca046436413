/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ctx: the context ids of this process' communicators, over core/comm/ids.h and the engine. Whoever makes a
 * communicator takes an id at one member, tells it to the others, and each of them enters it; when the communicator's
 * last reference is dropped the member leaves it. Nothing here blocks, and leaving may happen inside a callback of the
 * engine.
 */
#ifndef HWS_CORE_CTX_H
#define HWS_CORE_CTX_H

#include "core/comm/comm.h"
#include "core/comm/ids.h"

struct hws_engine_config;

/* Once the number of processes is known: what the engine needs to know of ids. */
void hws_ctx_begin(struct hws_engine_config *cfg);
/* The engine is there, and nobody knows of it: what others tell about ids is taken from now on. As
 * hws_engine_take_kinds(). */
int hws_ctx_listen(void);
void hws_ctx_end(void);

/* An id of this process for a communicator that this process is a member of, or HWS_CTX_NONE. */
uint32_t hws_ctx_take(void);
/* One that was taken here and that nobody has entered. HWS_CTX_NONE allowed. */
void hws_ctx_give(uint32_t id);

/* Before the first operation with an id that has become known: what was left of its earlier generations is dropped. */
void hws_ctx_enter(uint32_t id);
/* This process does nothing more with an id of a communicator of these groups (remote: NULL). */
void hws_ctx_leave(uint32_t id, const struct hws_group *group, const struct hws_group *remote);

#endif
