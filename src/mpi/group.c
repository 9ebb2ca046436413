/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group: MPI_Group_... (MPI 5.0 section 7.3).
 */
#include "mpi/public.h"

#include "mpi/check_object.h"

/* The two results of MPI_Group_size and MPI_Group_rank. */
static int query(const char *fn, MPI_Group group, const char *arg, int *out, bool rank)
{
    struct hws_group *g;
    int rc = hws_check_up();
    if (rc || (rc = hws_check_group(group, "group", &g)) || (rc = hws_check_ptr(out, arg)))
        return hws_raise(NULL, fn, rc);
    *out = rank ? g->rank : g->size;
    return MPI_SUCCESS;
}

int PMPI_Group_size(MPI_Group group, int *size)
{
    return query("MPI_Group_size", group, "size", size, false);
}
HWS_MPI(Group_size)

int PMPI_Group_rank(MPI_Group group, int *rank)
{
    return query("MPI_Group_rank", group, "rank", rank, true);
}
HWS_MPI(Group_rank)

static int check_two(MPI_Group group1, MPI_Group group2, struct hws_group **a, struct hws_group **b)
{
    int rc = hws_check_up();
    if (rc || (rc = hws_check_group(group1, "group1", a)))
        return rc;
    return hws_check_group(group2, "group2", b);
}

int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[])
{
    struct hws_group *a, *b;
    int rc = check_two(group1, group2, &a, &b);
    if (rc == MPI_SUCCESS && n < 0)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: n is %d, it must not be negative", n);
    if (rc == MPI_SUCCESS && n > 0 && (rc = hws_check_ptr(ranks1, "ranks1")) == MPI_SUCCESS)
        rc = hws_check_ptr(ranks2, "ranks2");
    return hws_raise(NULL, "MPI_Group_translate_ranks", rc ? rc : hws_group_translate(a, n, ranks1, b, ranks2));
}
HWS_MPI(Group_translate_ranks)

int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    struct hws_group *a, *b;
    int rc = check_two(group1, group2, &a, &b);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(result, "result")) == MPI_SUCCESS)
        *result = hws_group_compare(a, b);
    return hws_raise(NULL, "MPI_Group_compare", rc);
}
HWS_MPI(Group_compare)

/* Hands the group to the user. */
static int give(const char *fn, int rc, struct hws_group *g, MPI_Group *newgroup)
{
    if (rc == MPI_SUCCESS)
        *newgroup = hws_group_handle(g);
    return hws_raise(NULL, fn, rc);
}

static int combine(const char *fn, enum hws_group_op op, MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    struct hws_group *a, *b, *g = NULL;
    int rc = check_two(group1, group2, &a, &b);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(newgroup, "newgroup")) == MPI_SUCCESS)
        rc = hws_group_combine(op, a, b, &g);
    return give(fn, rc, g, newgroup);
}

int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine("MPI_Group_union", HWS_GROUP_UNION, group1, group2, newgroup);
}
HWS_MPI(Group_union)

int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine("MPI_Group_intersection", HWS_GROUP_INTERSECTION, group1, group2, newgroup);
}
HWS_MPI(Group_intersection)

int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine("MPI_Group_difference", HWS_GROUP_DIFFERENCE, group1, group2, newgroup);
}
HWS_MPI(Group_difference)

static int check_list(MPI_Group group, int n, const void *list, const char *arg, MPI_Group *newgroup,
                      struct hws_group **g)
{
    int rc = hws_check_up();
    if (rc || (rc = hws_check_group(group, "group", g)))
        return rc;
    if (n < 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: n is %d, it must not be negative", n);
    if (n > 0 && (rc = hws_check_ptr(list, arg)) != MPI_SUCCESS)
        return rc;
    return hws_check_ptr(newgroup, "newgroup");
}

int PMPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    struct hws_group *g, *out = NULL;
    int rc = check_list(group, n, ranks, "ranks", newgroup, &g);
    if (rc == MPI_SUCCESS)
        rc = hws_group_incl(g, n, ranks, &out);
    return give("MPI_Group_incl", rc, out, newgroup);
}
HWS_MPI(Group_incl)

int PMPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    struct hws_group *g, *out = NULL;
    int rc = check_list(group, n, ranks, "ranks", newgroup, &g);
    if (rc == MPI_SUCCESS)
        rc = hws_group_excl(g, n, ranks, &out);
    return give("MPI_Group_excl", rc, out, newgroup);
}
HWS_MPI(Group_excl)

int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    struct hws_group *g, *out = NULL;
    int rc = check_list(group, n, ranges, "ranges", newgroup, &g);
    if (rc == MPI_SUCCESS)
        rc = hws_group_range(g, n, ranges, false, &out);
    return give("MPI_Group_range_incl", rc, out, newgroup);
}
HWS_MPI(Group_range_incl)

int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    struct hws_group *g, *out = NULL;
    int rc = check_list(group, n, ranges, "ranges", newgroup, &g);
    if (rc == MPI_SUCCESS)
        rc = hws_group_range(g, n, ranges, true, &out);
    return give("MPI_Group_range_excl", rc, out, newgroup);
}
HWS_MPI(Group_range_excl)

/* MPI_GROUP_EMPTY may be the result of an operation, so a program may free it; it stays. */
int PMPI_Group_free(MPI_Group *group)
{
    struct hws_group *g;
    int rc = hws_check_up();
    if (rc || (rc = hws_check_ptr(group, "group")) || (rc = hws_check_group(*group, "group", &g)))
        return hws_raise(NULL, "MPI_Group_free", rc);
    hws_group_drop(g);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
HWS_MPI(Group_free)
