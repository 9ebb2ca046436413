/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_sig: the type signature (MPI 5.0 section 5.1): which basic types follow each other in the packed stream.
 * Only structs make it branch; all other constructors repeat. Immutable once made, shared by reference.
 */
#include "core/type/datatype_priv.h"

#include <stdlib.h>
#include <string.h>

void hws_sig_hold(struct hws_sig *s)
{
    if (s)
        __atomic_add_fetch(&s->refs, 1, __ATOMIC_RELAXED);
}

void hws_sig_drop(struct hws_sig *s)
{
    if (!s || __atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    for (MPI_Count i = 0; i < s->n; i++)
        hws_sig_drop(s->part[i].sig);
    free(s);
}

static struct hws_sig *sig_new(MPI_Count n)
{
    struct hws_sig *s = calloc(1, sizeof *s + (size_t)n * sizeof s->part[0]);
    if (s)
        s->refs = 1;
    return s;
}

struct hws_sig *hws_sig_leaf(const struct hws_type *t)
{
    struct hws_sig *s = sig_new(0);
    if (!s)
        return NULL;
    s->leaf = s->single = t;
    s->bytes = t->size;
    s->elems = 1;
    s->ext_bytes = t->ext_bytes;
    return s;
}

/* *sum += times * each */
static bool add(MPI_Count *sum, MPI_Count times, MPI_Count each)
{
    MPI_Count more;
    return !__builtin_mul_overflow(times, each, &more) && !__builtin_add_overflow(*sum, more, sum);
}

static enum hws_err add_part(struct hws_sig *s, struct hws_sig_part p)
{
    if (p.sig->n == 1 && !p.sig->leaf) { /* repeat of a repeat */
        if (__builtin_mul_overflow(p.times, p.sig->part[0].times, &p.times))
            return HWS_EINVAL;
        p.sig = p.sig->part[0].sig;
    }
    s->single = s->n == 0 || s->single == p.sig->single ? p.sig->single : NULL;
    p.bytes_before = s->bytes;
    p.elems_before = s->elems;
    if (!add(&s->bytes, p.times, p.sig->bytes) || !add(&s->elems, p.times, p.sig->elems) ||
        !add(&s->ext_bytes, p.times, p.sig->ext_bytes))
        return HWS_EINVAL;
    struct hws_sig_part *last = s->n > 0 ? &s->part[s->n - 1] : NULL;
    if (last && last->sig == p.sig) {
        last->times += p.times;
        return HWS_OK;
    }
    hws_sig_hold(p.sig);
    s->part[s->n++] = p;
    return HWS_OK;
}

enum hws_err hws_sig_seq(MPI_Count n, const struct hws_sig_part *parts, struct hws_sig **out)
{
    struct hws_sig *s = sig_new(n);
    if (!s)
        return HWS_ENOMEM;
    for (MPI_Count i = 0; i < n; i++) {
        enum hws_err err = parts[i].sig && parts[i].times > 0 ? add_part(s, parts[i]) : HWS_OK;
        if (err) {
            hws_sig_drop(s);
            return err;
        }
    }
    if (s->n == 0 || (s->n == 1 && s->part[0].times == 1)) {
        *out = s->n == 0 ? NULL : s->part[0].sig;
        hws_sig_hold(*out);
        hws_sig_drop(s);
        return HWS_OK;
    }
    *out = s;
    return HWS_OK;
}
