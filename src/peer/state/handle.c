/* SPDX-License-Identifier: BSD-3-Clause
 *
 * handle: the table of operations named on the wire by (generation << 32 | index). A peer that names one that is gone,
 * or of another kind, is not believed.
 */
#include <stdlib.h>

#include "peer/state/engine.h"

static bool grow_slots(struct hws_engine *e)
{
    uint32_t cap = e->handles.cap ? 2 * e->handles.cap : 64;
    struct hws_slot *slots = realloc(e->handles.slots, cap * sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = e->handles.cap; i < cap; i++)
        slots[i] = (struct hws_slot){.generation = 1, .next_free = i + 1 < cap ? i + 1 : HWS_NO_SLOT};
    e->handles.free = e->handles.cap;
    e->handles.slots = slots;
    e->handles.cap = cap;
    return true;
}

uint64_t hws_handle_new(struct hws_engine *e, enum hws_handle_kind kind, void *op)
{
    if (e->handles.free == HWS_NO_SLOT && !grow_slots(e))
        return 0;
    uint32_t i = e->handles.free;
    e->handles.free = e->handles.slots[i].next_free;
    e->handles.slots[i].op = op;
    e->handles.slots[i].kind = kind;
    return (uint64_t)e->handles.slots[i].generation << 32 | i;
}

static bool is_live(const struct hws_engine *e, uint64_t handle)
{
    uint32_t i = (uint32_t)handle;
    return i < e->handles.cap && e->handles.slots[i].generation == handle >> 32 && e->handles.slots[i].op;
}

void *hws_handle_get(const struct hws_engine *e, enum hws_handle_kind kind, uint64_t handle)
{
    const struct hws_slot *slot = is_live(e, handle) ? &e->handles.slots[(uint32_t)handle] : NULL;
    return slot && slot->kind == kind ? slot->op : NULL;
}

void hws_handle_free(struct hws_engine *e, uint64_t handle)
{
    uint32_t i = (uint32_t)handle;
    if (!is_live(e, handle))
        return;
    e->handles.slots[i].op = NULL;
    if (++e->handles.slots[i].generation == 0)
        e->handles.slots[i].generation = 1;
    e->handles.slots[i].next_free = e->handles.free;
    e->handles.free = i;
}
