/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the standard allows before MPI_Init and after MPI_Finalize (MPI 5.0 section 11.4.1).
 */
#include "proc.h"

static void anywhere(int initialized, int finalized)
{
    int version, subversion, len, flag, code;
    char text[MPI_MAX_LIBRARY_VERSION_STRING], value[32];
    MPI_Info info, env;
    MPI_Errhandler e;
    MPI_Initialized(&flag);
    check_eq(flag, initialized);
    MPI_Finalized(&flag);
    check_eq(flag, finalized);
    MPI_Get_version(&version, &subversion);
    check(version == 5 && subversion == 0);
    MPI_Get_library_version(text, &len);
    check(strncmp(text, "Hawser ", 7) == 0 && (int)strlen(text) == len);
    MPI_Info_create(&info);
    MPI_Info_set(info, "k", "v");
    len = sizeof value;
    MPI_Info_get_string(info, "k", &len, value, &flag);
    check(flag && value[0] == 'v');
    MPI_Info_free(&info);
    MPI_Info_create_env(0, NULL, &env);
    MPI_Info_get_nkeys(env, &len);
    check(len > 3);
    MPI_Info_free(&env);
    MPI_Error_string(MPI_ERR_TAG, text, &len);
    check(strcmp(text, "MPI_ERR_TAG: invalid tag") == 0);
    MPI_Add_error_class(&code);
    check(code > MPI_ERR_LASTCODE);
    MPI_Abi_get_version(&version, &subversion);
    check(version == 1 && subversion == 0);
    check(MPI_Comm_toint(MPI_COMM_WORLD) == 0x101 && MPI_Comm_fromint(0x101) == MPI_COMM_WORLD);
    e = MPI_ERRORS_RETURN;
    MPI_Errhandler_free(&e);
    check(e == MPI_ERRHANDLER_NULL);
}

int main(int argc, char **argv)
{
    anywhere(0, 0);
    proc_begin(&argc, &argv);
    anywhere(1, 0);
    proc_end();
    anywhere(1, 1);
    return proc_failures != 0;
}
