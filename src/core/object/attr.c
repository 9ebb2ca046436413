/* SPDX-License-Identifier: BSD-3-Clause
 *
 * attr: keyvals in one table, attributes as a list at each object. One mutex guards both; it is given up around
 * callbacks, so lists are searched again afterwards.
 */
#include "core/object/attr.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/list.h"
#include "core/object/fail.h"

#define FIRST_KEYVAL 4096 /* above all predefined ones */
#define DUP_FN       ((hws_attr_fn *)1)

struct keyval {
    int id;
    enum hws_kind kind;
    int refs; /* the user's, and one per attribute */
    bool freed;
    hws_attr_fn *copy, *del;
    void *extra;
};

struct attr {
    struct hws_list node;
    struct keyval *key;
    void *value;
};

struct hws_attrs {
    struct hws_list head; /* in the order of setting */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The number of a keyval is its place; that of a dead one goes to the next that is made. */
struct place {
    struct keyval *key; /* NULL: free */
    int next_free;      /* of a free one, -1: the last */
};

static struct place *table; /* table[n_places] */
static int n_places, first_free = -1;

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for an attribute");
}

/* ---- keyvals ---- */

/* -1: no memory. */
static int take_place(void)
{
    int place = first_free;
    if (place >= 0) {
        first_free = table[place].next_free;
        return place;
    }
    struct place *grown = realloc(table, ((size_t)n_places + 1) * sizeof *table);
    if (!grown)
        return -1;
    table = grown;
    return n_places++;
}

int hws_keyval_create(enum hws_kind kind, hws_attr_fn *copy, hws_attr_fn *del, void *extra, int *keyval)
{
    struct keyval *k = calloc(1, sizeof *k);
    pthread_mutex_lock(&mutex);
    int place = k ? take_place() : -1;
    if (place >= 0) {
        *k = (struct keyval){FIRST_KEYVAL + place, kind, 1, false, copy, del, extra};
        table[place].key = k;
        *keyval = k->id;
    }
    pthread_mutex_unlock(&mutex);
    if (place >= 0)
        return MPI_SUCCESS;
    free(k);
    return no_memory();
}

static struct keyval *find_key(enum hws_kind kind, int id)
{
    int i = id - FIRST_KEYVAL;
    struct keyval *k = i >= 0 && i < n_places ? table[i].key : NULL;
    return k && k->kind == kind ? k : NULL;
}

static void drop_key(struct keyval *k)
{
    if (--k->refs > 0)
        return;
    int place = k->id - FIRST_KEYVAL;
    table[place] = (struct place){NULL, first_free};
    first_free = place;
    free(k);
}

static int bad_key(int id)
{
    return hws_fail(MPI_ERR_KEYVAL, "invalid attribute key: argument keyval is %d", id);
}

int hws_keyval_free(enum hws_kind kind, int *keyval)
{
    pthread_mutex_lock(&mutex);
    struct keyval *k = find_key(kind, *keyval);
    if (k && !k->freed) { /* once more while attributes keep it alive: harmless */
        k->freed = true;
        drop_key(k);
    }
    pthread_mutex_unlock(&mutex);
    if (!k)
        return bad_key(*keyval);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* ---- callbacks: no lock held ---- */

static int call_delete(const struct keyval *k, void *handle, void *value)
{
    if (!k->del)
        return MPI_SUCCESS;
    switch (k->kind) {
    case HWS_KIND_TYPE:
        return ((MPI_Type_delete_attr_function *)k->del)((MPI_Datatype)handle, k->id, value, k->extra);
    case HWS_KIND_WIN:
        return ((MPI_Win_delete_attr_function *)k->del)((MPI_Win)handle, k->id, value, k->extra);
    default:
        return ((MPI_Comm_delete_attr_function *)k->del)((MPI_Comm)handle, k->id, value, k->extra);
    }
}

static int call_copy(const struct keyval *k, void *handle, void *in, void **out, int *flag)
{
    *flag = 0;
    if (!k->copy)
        return MPI_SUCCESS;
    if (k->copy == DUP_FN) {
        *flag = 1;
        *out = in;
        return MPI_SUCCESS;
    }
    switch (k->kind) {
    case HWS_KIND_TYPE:
        return ((MPI_Type_copy_attr_function *)k->copy)((MPI_Datatype)handle, k->id, k->extra, in, out, flag);
    case HWS_KIND_WIN:
        return ((MPI_Win_copy_attr_function *)k->copy)((MPI_Win)handle, k->id, k->extra, in, out, flag);
    default:
        return ((MPI_Comm_copy_attr_function *)k->copy)((MPI_Comm)handle, k->id, k->extra, in, out, flag);
    }
}

/* ---- attributes ---- */

static struct attr *find_attr(struct hws_attrs *attrs, const struct keyval *k)
{
    if (!attrs)
        return NULL;
    for (struct hws_list *n = attrs->head.next; n != &attrs->head; n = n->next) {
        struct attr *a = hws_container_of(n, struct attr, node);
        if (a->key == k)
            return a;
    }
    return NULL;
}

static struct hws_attrs *get_list(struct hws_attrs **attrs)
{
    if (!*attrs && (*attrs = malloc(sizeof **attrs)) != NULL)
        hws_list_init(&(*attrs)->head);
    return *attrs;
}

/* Sets or appends; mutex held. */
static int put(struct hws_attrs **attrs, struct keyval *k, void *value)
{
    struct attr *a = find_attr(*attrs, k);
    if (!a) {
        if (!get_list(attrs) || (a = malloc(sizeof *a)) == NULL)
            return no_memory();
        a->key = k;
        k->refs++;
        hws_list_push(&(*attrs)->head, &a->node);
    }
    a->value = value;
    return MPI_SUCCESS;
}

static void remove_attr(struct attr *a)
{
    hws_list_remove(&a->node);
    drop_key(a->key);
    free(a);
}

/* Calls the delete function for the value of k, then removes the attribute. Mutex held at entry and return. The key is
 * held meanwhile, since the callback may free it. */
static int delete_one(struct hws_attrs *attrs, struct keyval *k, void *handle)
{
    struct attr *a = find_attr(attrs, k);
    if (!a)
        return MPI_SUCCESS;
    void *value = a->value;
    k->refs++;
    pthread_mutex_unlock(&mutex);
    int rc = call_delete(k, handle, value);
    pthread_mutex_lock(&mutex);
    if (rc == MPI_SUCCESS && (a = find_attr(attrs, k)) != NULL)
        remove_attr(a);
    drop_key(k);
    return rc;
}

int hws_attr_set(struct hws_attrs **attrs, enum hws_kind kind, void *handle, int keyval, void *value)
{
    pthread_mutex_lock(&mutex);
    struct keyval *k = find_key(kind, keyval);
    int rc = k ? MPI_SUCCESS : bad_key(keyval);
    struct attr *a = k ? find_attr(*attrs, k) : NULL;
    if (a) {
        void *old = a->value;
        k->refs++;
        pthread_mutex_unlock(&mutex);
        rc = call_delete(k, handle, old);
        pthread_mutex_lock(&mutex);
    }
    if (rc == MPI_SUCCESS)
        rc = put(attrs, k, value);
    if (a)
        drop_key(k);
    pthread_mutex_unlock(&mutex);
    return rc;
}

int hws_attr_get(struct hws_attrs *attrs, enum hws_kind kind, int keyval, void **value, int *found)
{
    pthread_mutex_lock(&mutex);
    struct keyval *k = find_key(kind, keyval);
    struct attr *a = k ? find_attr(attrs, k) : NULL;
    *found = a != NULL;
    if (a)
        *value = a->value;
    pthread_mutex_unlock(&mutex);
    return k ? MPI_SUCCESS : bad_key(keyval);
}

int hws_attr_delete(struct hws_attrs **attrs, enum hws_kind kind, void *handle, int keyval)
{
    pthread_mutex_lock(&mutex);
    struct keyval *k = find_key(kind, keyval);
    int rc = k ? delete_one(*attrs, k, handle) : bad_key(keyval);
    pthread_mutex_unlock(&mutex);
    return rc;
}

static int copy_one(const struct attr *a, void *handle, struct hws_attrs **to)
{
    void *out = NULL;
    int flag;
    int rc = call_copy(a->key, handle, a->value, &out, &flag);
    if (rc != MPI_SUCCESS || !flag)
        return rc;
    pthread_mutex_lock(&mutex);
    rc = put(to, a->key, out);
    pthread_mutex_unlock(&mutex);
    return rc;
}

int hws_attrs_copy(const struct hws_attrs *from, enum hws_kind kind, void *handle, struct hws_attrs **to)
{
    (void)kind; /* every key knows its kind */
    if (!from)
        return MPI_SUCCESS;
    for (struct hws_list *n = from->head.next, *next; n != &from->head; n = next) {
        next = n->next;
        int rc = copy_one(hws_container_of(n, struct attr, node), handle, to);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return MPI_SUCCESS;
}

int hws_attrs_free(struct hws_attrs **attrs, enum hws_kind kind, void *handle)
{
    (void)kind;
    if (!*attrs)
        return MPI_SUCCESS;
    int rc = MPI_SUCCESS;
    pthread_mutex_lock(&mutex);
    while (rc == MPI_SUCCESS && !hws_list_is_empty(&(*attrs)->head))
        rc = delete_one(*attrs, hws_container_of((*attrs)->head.prev, struct attr, node)->key, handle);
    pthread_mutex_unlock(&mutex);
    if (rc != MPI_SUCCESS)
        return rc;
    free(*attrs);
    *attrs = NULL;
    return MPI_SUCCESS;
}

void hws_attrs_forget(struct hws_attrs **attrs)
{
    if (!*attrs)
        return;
    pthread_mutex_lock(&mutex);
    for (struct hws_list *n; (n = hws_list_pop(&(*attrs)->head)) != NULL;) {
        struct attr *a = hws_container_of(n, struct attr, node);
        drop_key(a->key);
        free(a);
    }
    pthread_mutex_unlock(&mutex);
    free(*attrs);
    *attrs = NULL;
}
