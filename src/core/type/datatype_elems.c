/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_elems: counts basic elements along the signature: one division per repeat, a search over the parts of a
 * struct.
 */
#include "core/type/datatype_elems.h"

#include "core/type/datatype_priv.h"

/* The part in which `at` lies, counted in bytes or in elements. at < the signature's whole. */
static const struct hws_sig_part *part_at(const struct hws_sig *s, bool in_bytes, MPI_Count at)
{
    MPI_Count lo = 0, hi = s->n;
    while (hi - lo > 1) {
        MPI_Count mid = lo + (hi - lo) / 2;
        if ((in_bytes ? s->part[mid].bytes_before : s->part[mid].elems_before) <= at)
            lo = mid;
        else
            hi = mid;
    }
    return &s->part[lo];
}

/* Elements in less than one pass of s; -1: one is cut. */
static MPI_Count elements_in(const struct hws_sig *s, MPI_Count bytes)
{
    MPI_Count elems = 0;
    while (bytes > 0) {
        if (s->leaf)
            return -1;
        const struct hws_sig_part *p = part_at(s, true, bytes);
        bytes -= p->bytes_before;
        elems += p->elems_before + bytes / p->sig->bytes * p->sig->elems;
        bytes %= p->sig->bytes;
        s = p->sig;
    }
    return elems;
}

MPI_Count hws_type_elements(const struct hws_type *t, MPI_Count bytes)
{
    if (!t->sig)
        return bytes == 0 ? 0 : -1;
    MPI_Count rest = elements_in(t->sig, bytes % t->sig->bytes);
    return rest < 0 ? -1 : bytes / t->sig->bytes * t->sig->elems + rest;
}

bool hws_type_elements_bytes(const struct hws_type *t, MPI_Count elems, MPI_Count *bytes)
{
    const struct hws_sig *s = t->sig;
    if (!s) {
        *bytes = 0;
        return elems == 0;
    }
    MPI_Count sum;
    if (__builtin_mul_overflow(elems / s->elems, s->bytes, &sum))
        return false;
    elems %= s->elems;
    while (elems > 0) { /* never at a leaf: that has one element */
        const struct hws_sig_part *p = part_at(s, false, elems);
        elems -= p->elems_before;
        if (__builtin_add_overflow(sum, p->bytes_before + elems / p->sig->elems * p->sig->bytes, &sum))
            return false;
        elems %= p->sig->elems;
        s = p->sig;
    }
    *bytes = sum;
    return true;
}
