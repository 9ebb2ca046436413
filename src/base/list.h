/* SPDX-License-Identifier: BSD-3-Clause
 *
 * list: an intrusive doubly linked list with a sentinel head. A node that is in no list points at itself, so
 * hws_list_remove() may be called twice. Nothing is allocated; the owner of the node owns the memory.
 */
#ifndef HWS_BASE_LIST_H
#define HWS_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct hws_list {
    struct hws_list *next, *prev;
};

#define hws_container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define HWS_ARRAY_LEN(a)                    (sizeof(a) / sizeof((a)[0]))

static inline void hws_list_init(struct hws_list *l)
{
    l->next = l->prev = l;
}

static inline bool hws_list_is_empty(const struct hws_list *l)
{
    return l->next == l;
}

static inline void hws_list_push(struct hws_list *head, struct hws_list *n)
{
    n->prev = head->prev;
    n->next = head;
    head->prev->next = n;
    head->prev = n;
}

static inline void hws_list_push_front(struct hws_list *head, struct hws_list *n)
{
    n->next = head->next;
    n->prev = head;
    head->next->prev = n;
    head->next = n;
}

static inline void hws_list_remove(struct hws_list *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    hws_list_init(n);
}

static inline struct hws_list *hws_list_pop(struct hws_list *head)
{
    struct hws_list *n = head->next;
    if (n == head)
        return NULL;
    hws_list_remove(n);
    return n;
}

#endif
