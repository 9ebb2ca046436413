/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C side of spawn.f90 and spawn_f08.f90: a tool that stands in for functions of C. It looks at what Fortran's entry
 * made of the arguments and gives results that Fortran looks at.
 */
#include <mpi.h>

#include <string.h>

#include "integer.h"

/* Whether the words, which end with NULL, are these, joined by a comma. */
static int are(char **words, const char *wanted)
{
    char joined[200] = "";
    for (int i = 0; words && words[i]; i++) {
        strcat(joined, i ? "," : "");
        strcat(joined, words[i]);
    }
    return strcmp(joined, wanted) == 0;
}

static int is_root(int root, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank == root;
}

/* A command "none" comes without arguments and without places for error codes. */
int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm *intercomm, int errcodes[])
{
    *intercomm = MPI_COMM_SELF;
    if (strcmp(command, "none") == 0)
        return argv == MPI_ARGV_NULL && errcodes == MPI_ERRCODES_IGNORE ? MPI_SUCCESS : MPI_ERR_ARG;
    if (is_root(root, comm) && (strcmp(command, "a b") != 0 || !are(argv, "one, two words,3")))
        return MPI_ERR_SPAWN;
    if (INTEGER_BYTES == 8 && !is_root(root, comm)) /* only the root knows how many codes there are to be converted */
        return maxprocs == 2 && errcodes == MPI_ERRCODES_IGNORE ? MPI_SUCCESS : MPI_ERR_ARG;
    if (maxprocs != 2 || info != MPI_INFO_NULL || errcodes == MPI_ERRCODES_IGNORE)
        return MPI_ERR_ARG;
    errcodes[0] = 11;
    errcodes[1] = 12;
    return MPI_SUCCESS;
}

int MPI_Comm_spawn_multiple(int count, char *commands[], char **argvs[], const int maxprocs[], const MPI_Info infos[],
                            int root, MPI_Comm comm, MPI_Comm *intercomm, int errcodes[])
{
    *intercomm = MPI_COMM_SELF;
    if (!is_root(root, comm))
        return commands || argvs ? MPI_ERR_ROOT : MPI_SUCCESS;
    if (count != 2 || !are(commands, "first,second") || maxprocs[1] != 2 || infos[0] != MPI_INFO_ENV ||
        infos[1] != MPI_INFO_NULL)
        return MPI_ERR_ARG;
    if (errcodes == MPI_ERRCODES_IGNORE)
        return argvs == MPI_ARGVS_NULL ? MPI_SUCCESS : MPI_ERR_SPAWN;
    errcodes[2] = 13;
    return are(argvs[0], "x") && are(argvs[1], "y,z") ? MPI_SUCCESS : MPI_ERR_SPAWN;
}

/* Writes three integers, and reads with what there is to read with; the extents and positions are made up. */
int MPI_Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_fn,
                         MPI_Datarep_conversion_function *write_fn, MPI_Datarep_extent_function *extent_fn, void *state)
{
    INTEGER user[3] = {1, 2, 3}, file[3] = {0};
    int rc;
    MPI_Aint extent = 0;
    if (strcmp(datarep, "tenfold") != 0)
        return MPI_ERR_ARG;
    if ((rc = extent_fn(INTEGER_TYPE, &extent, state)) || extent != 12)
        return rc ? rc : MPI_ERR_TYPE;
    if ((rc = write_fn(user, INTEGER_TYPE, 3, file, 7, state)) || file[2] != 30)
        return rc ? rc : MPI_ERR_CONVERSION;
    return read_fn == MPI_CONVERSION_FN_NULL ? MPI_SUCCESS : read_fn(user, INTEGER_TYPE, 3, file, 8, state);
}

int MPI_Register_datarep_c(const char *datarep, MPI_Datarep_conversion_function_c *read_fn,
                           MPI_Datarep_conversion_function_c *write_fn, MPI_Datarep_extent_function *extent_fn,
                           void *state)
{
    INTEGER user[3] = {1, 2, 3}, file[3] = {0};
    int rc;
    if (strcmp(datarep, "tenfold") != 0 || !extent_fn || read_fn != MPI_CONVERSION_FN_NULL_C)
        return MPI_ERR_ARG;
    return (rc = write_fn(user, INTEGER_TYPE, 3, file, 7, state)) || file[2] == 30 ? rc : MPI_ERR_CONVERSION;
}
