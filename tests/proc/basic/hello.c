/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hello: the job starts, every rank knows who it is, and it ends.
 */
#include "proc.h"

int main(int argc, char **argv)
{
    const char *want = getenv("PROC_NP");
    proc_begin(&argc, &argv);
    check(proc_rank >= 0 && proc_rank < proc_size);
    if (want)
        check_eq(proc_size, atoi(want));
    int flag = 0;
    MPI_Initialized(&flag);
    check(flag);
    return proc_end();
}
