/* SPDX-License-Identifier: BSD-3-Clause
 *
 * handle: descriptors named on the wire: (generation << 32 | index). A peer that names one that is gone, or of another
 * kind, is not believed.
 */
#include <stdlib.h>

#include "peer/state/engine.h"

static bool grow_slots(struct hws_engine *e)
{
    uint32_t cap = e->slot_cap ? 2 * e->slot_cap : 64;
    struct hws_slot *slots = realloc(e->slots, cap * sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = e->slot_cap; i < cap; i++)
        slots[i] = (struct hws_slot){.generation = 1, .next_free = i + 1 < cap ? i + 1 : HWS_NO_SLOT};
    e->slot_free = e->slot_cap;
    e->slots = slots;
    e->slot_cap = cap;
    return true;
}

uint64_t hws_handle_new(struct hws_engine *e, enum hws_handle_kind kind, void *op)
{
    if (e->slot_free == HWS_NO_SLOT && !grow_slots(e))
        return 0;
    uint32_t i = e->slot_free;
    e->slot_free = e->slots[i].next_free;
    e->slots[i].op = op;
    e->slots[i].kind = kind;
    return (uint64_t)e->slots[i].generation << 32 | i;
}

static bool is_live(const struct hws_engine *e, uint64_t handle)
{
    uint32_t i = (uint32_t)handle;
    return i < e->slot_cap && e->slots[i].generation == handle >> 32 && e->slots[i].op;
}

void *hws_handle_get(const struct hws_engine *e, enum hws_handle_kind kind, uint64_t handle)
{
    const struct hws_slot *slot = is_live(e, handle) ? &e->slots[(uint32_t)handle] : NULL;
    return slot && slot->kind == kind ? slot->op : NULL;
}

void hws_handle_free(struct hws_engine *e, uint64_t handle)
{
    uint32_t i = (uint32_t)handle;
    if (!is_live(e, handle))
        return;
    e->slots[i].op = NULL;
    if (++e->slots[i].generation == 0)
        e->slots[i].generation = 1;
    e->slots[i].next_free = e->slot_free;
    e->slot_free = i;
}
