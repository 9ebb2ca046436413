/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_tree: remembers the arguments of constructors for MPI_Type_get_envelope and MPI_Type_get_contents (MPI 5.0
 * section 5.1.13), and holds the types that a type was made of.
 */
#include "core/type/datatype_make.h"

#include <stdlib.h>

#include "core/object/fail.h"

void hws_tree_free(struct hws_type_tree *tree)
{
    if (!tree)
        return;
    for (MPI_Count i = 0; tree->types && i < tree->n_types; i++)
        hws_type_drop(tree->types[i]);
    free(tree->ints);
    free(tree->aints);
    free(tree->counts);
    free(tree->types);
    free(tree);
}

/* NULL: no memory. The lists have room for all args, the numbers are 0. */
static struct hws_type_tree *tree_new(int n_args, const struct hws_arg *args, MPI_Count n_types)
{
    MPI_Count room[3] = {1, 1, 1};
    for (int i = 0; i < n_args; i++)
        room[args[i].kind] += args[i].n;
    struct hws_type_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    tree->ints = malloc((size_t)room[HWS_ARG_INT] * sizeof *tree->ints);
    tree->aints = malloc((size_t)room[HWS_ARG_AINT] * sizeof *tree->aints);
    tree->counts = malloc((size_t)room[HWS_ARG_COUNT] * sizeof *tree->counts);
    tree->types = malloc(((size_t)n_types + 1) * sizeof *tree->types);
    if (tree->ints && tree->aints && tree->counts && tree->types)
        return tree;
    hws_tree_free(tree);
    return NULL;
}

static void tree_add(struct hws_type_tree *tree, const struct hws_arg *a)
{
    for (MPI_Count i = 0; i < a->n; i++) {
        MPI_Count v = a->values.p ? hws_counts_at(a->values, i) : a->scalar;
        if (a->kind == HWS_ARG_INT)
            tree->ints[tree->n_ints++] = (int)v;
        else if (a->kind == HWS_ARG_AINT)
            tree->aints[tree->n_aints++] = v;
        else
            tree->counts[tree->n_counts++] = v;
    }
}

int hws_type_remember(struct hws_type *t, int combiner, int n_args, const struct hws_arg *args, MPI_Count n_types,
                      const MPI_Datatype types[])
{
    struct hws_type_tree *tree = tree_new(n_args, args, n_types);
    if (!tree) {
        hws_type_drop(t);
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a datatype");
    }
    for (int i = 0; i < n_args; i++)
        tree_add(tree, &args[i]);
    for (MPI_Count i = 0; i < n_types; i++) {
        tree->types[i] = hws_type_of(types[i]);
        hws_type_hold(tree->types[i]);
    }
    tree->n_types = n_types;
    t->tree = tree;
    t->combiner = combiner;
    return MPI_SUCCESS;
}
