/* SPDX-License-Identifier: BSD-3-Clause
 *
 * handle_int: a growing list of addresses and an open hash over it (linear probing, at most half full). A lock of its
 * own, because conversion is allowed before initialization and after finalization.
 */
#include "core/object/handle_int.h"

#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/object/object.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const void **handles; /* [room / 2], by number - HWS_HANDLE_INT_FIRST */
static int *slots;           /* [room], index into handles plus 1; 0: empty */
static size_t n_handles, room;

/* The slot that holds the address, or the empty one where it belongs. */
static size_t find_slot(const void *handle)
{
    size_t at = (size_t)((uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (slots[at] && handles[slots[at] - 1] != handle)
        at = (at + 1) & (room - 1);
    return at;
}

static int grow(void)
{
    size_t larger = room ? room * 2 : 64;
    const void **list = realloc(handles, larger / 2 * sizeof *list);
    if (list)
        handles = list;
    int *table = list && larger / 2 < INT_MAX - HWS_HANDLE_INT_FIRST ? calloc(larger, sizeof *table) : NULL;
    if (!table)
        return -1;
    free(slots);
    slots = table;
    room = larger;
    for (size_t i = 0; i < n_handles; i++)
        slots[find_slot(handles[i])] = (int)i + 1;
    return 0;
}

static int number_of(const void *handle)
{
    if (n_handles == room / 2 && grow() != 0)
        return -1;
    size_t at = find_slot(handle);
    if (!slots[at]) {
        handles[n_handles++] = handle;
        slots[at] = (int)n_handles;
    }
    return HWS_HANDLE_INT_FIRST + slots[at] - 1;
}

int hws_handle_to_int(const void *handle)
{
    if (HWS_HANDLE_IS_SMALL(handle))
        return (int)(uintptr_t)handle;
    pthread_mutex_lock(&lock);
    int number = number_of(handle);
    pthread_mutex_unlock(&lock);
    return number;
}

void *hws_handle_from_int(int number)
{
    if (number >= 0 && number < HWS_HANDLE_INT_FIRST)
        return (void *)(uintptr_t)number;
    if (number < 0)
        return NULL;
    size_t i = (size_t)(number - HWS_HANDLE_INT_FIRST);
    pthread_mutex_lock(&lock);
    const void *handle = i < n_handles ? handles[i] : NULL;
    pthread_mutex_unlock(&lock);
    return (void *)(uintptr_t)handle;
}
