/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bounds: MPI_LB and MPI_UB, with which MPI-1 set the bounds of a struct. MPI-3.0 removed them, and C has no such
 * types; programs in Fortran go on using them beside the functions of removed.c. Here each is an empty type, which is
 * made when it is first asked for and lives on, and the struct that has one is resized.
 */
#include "fortran/bounds.h"

#include <stdbool.h>

static MPI_Datatype make(const char *name)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (PMPI_Type_contiguous(0, MPI_BYTE, &type) != MPI_SUCCESS)
        return MPI_DATATYPE_NULL;
    PMPI_Type_set_name(type, name);
    PMPI_Type_commit(&type);
    return type;
}

/* Two threads may make it; one throws its own away. */
static MPI_Datatype one_of(MPI_Datatype *kept, const char *name)
{
    MPI_Datatype type = __atomic_load_n(kept, __ATOMIC_ACQUIRE), made;
    if (type)
        return type;
    made = make(name);
    if (made == MPI_DATATYPE_NULL ||
        __atomic_compare_exchange_n(kept, &type, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    PMPI_Type_free(&made);
    return type;
}

MPI_Datatype hws_datatype_made(hws_integer number)
{
    static MPI_Datatype lb, ub; /* NULL: not made yet */
    if (number == HWS_LB)
        return one_of(&lb, "MPI_LB");
    return number == HWS_UB ? one_of(&ub, "MPI_UB") : PMPI_Type_fromint(hws_int(number));
}

/* The bound that entries of this type set: of lower ones the least, of upper ones the greatest. */
static bool marked(const struct hws_members *m, hws_integer mark, MPI_Aint *out)
{
    bool found = false;
    for (MPI_Count i = 0; i < m->n; i++) {
        if (m->types[i] != mark || m->lengths[i] <= 0)
            continue;
        if (!found || (mark == HWS_LB ? m->places[i] < *out : m->places[i] > *out))
            *out = m->places[i];
        found = true;
    }
    return found;
}

int hws_bounded(const struct hws_members *m, MPI_Datatype *type)
{
    MPI_Aint lower = 0, upper = 0, lb = 0, extent = 0;
    bool is_lower = marked(m, HWS_LB, &lower), is_upper = marked(m, HWS_UB, &upper);
    if (!is_lower && !is_upper)
        return MPI_SUCCESS;
    MPI_Datatype resized = MPI_DATATYPE_NULL;
    int rc = PMPI_Type_get_extent(*type, &lb, &extent);
    if (!is_lower)
        lower = lb;
    if (!is_upper)
        upper = lb + extent;
    if (rc == MPI_SUCCESS)
        rc = PMPI_Type_create_resized(*type, lower, upper - lower, &resized);
    PMPI_Type_free(type);
    *type = resized;
    return rc;
}
