/* SPDX-License-Identifier: BSD-3-Clause
 *
 * unsupported: functions of the ABI that do not work yet. Each raises MPI_ERR_UNSUPPORTED_OPERATION with its own name
 * through the error handler of MPI_COMM_SELF; none pretends to succeed.
 */
#include "mpi/public.h"

#include "core/comm/raise.h"
#include "mpi/unsupported.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static int unsupported(const char *fn)
{
    return hws_raise(NULL, fn, hws_fail(MPI_ERR_UNSUPPORTED_OPERATION, "not supported yet by this version of Hawser"));
}

#define UNSUPPORTED(name, params)                                                                                      \
    int PMPI_##name params                                                                                             \
    {                                                                                                                  \
        return unsupported("MPI_" #name);                                                                              \
    }                                                                                                                  \
    HWS_MPI(name)
#include "mpi/unsupported_list.h"
#undef UNSUPPORTED

#define UNSUPPORTED(name, params) "MPI_" #name "\n"
const char hws_unsupported[] =
#include "mpi/unsupported_list.h"
    ;
