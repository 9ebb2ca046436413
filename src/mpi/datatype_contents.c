/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_contents: entry points that tell how a datatype was made (MPI 5.0 section 5.1.13). Derived types among the
 * contents get a new reference, which the caller frees.
 */
#include "mpi/public.h"

#include <string.h>

#include "mpi/datatype_check.h"

static const struct hws_type_tree no_tree; /* of a named type */

static const struct hws_type_tree *tree_of(const struct hws_type *t)
{
    return t->tree ? t->tree : &no_tree;
}

/* A type made with large counts has contents only in the _c form. */
static int check_small(const struct hws_type *t, const char *instead)
{
    if (tree_of(t)->n_counts == 0)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_TYPE, "invalid datatype: argument datatype was made with large counts, use %s", instead);
}

/* What both forms ask of the type and of where its numbers go. The int form has no large counts. */
static int check_envelope(MPI_Datatype datatype, const void *integers, const void *addresses, const void *large_counts,
                          bool has_counts, const void *types, const void *combiner, struct hws_type **t)
{
    int rc = hws_check_any_type(datatype, "datatype", t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(integers, "num_integers");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(addresses, "num_addresses");
    if (rc == MPI_SUCCESS && has_counts)
        rc = hws_check_ptr(large_counts, "num_large_counts");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(types, "num_datatypes");
    return rc == MPI_SUCCESS ? hws_check_ptr(combiner, "combiner") : rc;
}

int PMPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes,
                           int *combiner)
{
    struct hws_type *t = NULL;
    int rc = check_envelope(datatype, num_integers, num_addresses, NULL, false, num_datatypes, combiner, &t);
    if (rc == MPI_SUCCESS)
        rc = check_small(t, "MPI_Type_get_envelope_c");
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Type_get_envelope", rc);
    *num_integers = (int)tree_of(t)->n_ints; /* at most 2*INT_MAX+1 of indexed: such arrays would take 16 GiB */
    *num_addresses = (int)tree_of(t)->n_aints;
    *num_datatypes = (int)tree_of(t)->n_types;
    *combiner = t->combiner;
    return MPI_SUCCESS;
}
HWS_MPI(Type_get_envelope)

int PMPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
                             MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner)
{
    struct hws_type *t = NULL;
    int rc = check_envelope(datatype, num_integers, num_addresses, num_large_counts, true, num_datatypes, combiner, &t);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Type_get_envelope_c", rc);
    *num_integers = tree_of(t)->n_ints;
    *num_addresses = tree_of(t)->n_aints;
    *num_large_counts = tree_of(t)->n_counts;
    *num_datatypes = tree_of(t)->n_types;
    *combiner = t->combiner;
    return MPI_SUCCESS;
}
HWS_MPI(Type_get_envelope_c)

/* One of the caller's arrays: room for what there is. */
static int check_room(MPI_Count have, MPI_Count max, const void *array, const char *max_arg, const char *array_arg)
{
    if (max < have)
        return hws_fail(MPI_ERR_ARG, "invalid argument: %s is %lld, the datatype has %lld", max_arg, (long long)max,
                        (long long)have);
    return hws_check_array(have, array, array_arg);
}

struct room {
    MPI_Count ints, aints, counts, types;
};

struct arrays {
    int *ints;
    MPI_Aint *aints;
    MPI_Count *counts;
    MPI_Datatype *types;
};

static int check_contents(const struct hws_type *t, const struct room *max, const struct arrays *to)
{
    const struct hws_type_tree *tree = tree_of(t);
    if (t->combiner == MPI_COMBINER_NAMED)
        return hws_fail(MPI_ERR_TYPE,
                        "invalid datatype: argument datatype is the named datatype %s, which has no contents", t->name);
    int rc = check_room(tree->n_ints, max->ints, to->ints, "max_integers", "array_of_integers");
    if (rc == MPI_SUCCESS)
        rc = check_room(tree->n_aints, max->aints, to->aints, "max_addresses", "array_of_addresses");
    if (rc == MPI_SUCCESS)
        rc = check_room(tree->n_counts, max->counts, to->counts, "max_large_counts", "array_of_large_counts");
    if (rc == MPI_SUCCESS)
        rc = check_room(tree->n_types, max->types, to->types, "max_datatypes", "array_of_datatypes");
    return rc;
}

static void copy_list(void *to, const void *from, MPI_Count n, size_t each)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * each);
}

static void copy_contents(const struct hws_type_tree *tree, const struct arrays *to)
{
    copy_list(to->ints, tree->ints, tree->n_ints, sizeof *to->ints);
    copy_list(to->aints, tree->aints, tree->n_aints, sizeof *to->aints);
    copy_list(to->counts, tree->counts, tree->n_counts, sizeof *to->counts);
    for (MPI_Count i = 0; i < tree->n_types; i++) {
        hws_type_hold(tree->types[i]);
        __atomic_add_fetch(&tree->types[i]->handles, 1, __ATOMIC_RELAXED);
        to->types[i] = hws_type_handle(tree->types[i]);
    }
}

int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                           int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[])
{
    struct hws_type *t = NULL;
    struct room max = {max_integers, max_addresses, 0, max_datatypes};
    struct arrays to = {array_of_integers, array_of_addresses, NULL, array_of_datatypes};
    int rc = hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = check_small(t, "MPI_Type_get_contents_c");
    if (rc == MPI_SUCCESS)
        rc = check_contents(t, &max, &to);
    if (rc == MPI_SUCCESS)
        copy_contents(t->tree, &to);
    return hws_raise(NULL, "MPI_Type_get_contents", rc);
}
HWS_MPI(Type_get_contents)

int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                             MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                             MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                             MPI_Datatype array_of_datatypes[])
{
    struct hws_type *t = NULL;
    struct room max = {max_integers, max_addresses, max_large_counts, max_datatypes};
    struct arrays to = {array_of_integers, array_of_addresses, array_of_large_counts, array_of_datatypes};
    int rc = hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = check_contents(t, &max, &to);
    if (rc == MPI_SUCCESS)
        copy_contents(t->tree, &to);
    return hws_raise(NULL, "MPI_Type_get_contents_c", rc);
}
HWS_MPI(Type_get_contents_c)
