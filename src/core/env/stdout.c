/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stdout: what a rank prints leaves it line by line. Into a pipe, which mpirun's is, the C library would write when 4
 * KiB have come together: lines printed before a crash, an abort or a time-out would be lost, and those of a rank that
 * hangs never be seen. Before main(), so that the program's own setvbuf() wins; ranks that write to a file are left as
 * they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((constructor)) static void buffer_lines(void)
{
    struct stat st;
    if (getenv("PMI_RANK") && !getenv("_STDBUF_O") && fstat(STDOUT_FILENO, &st) == 0 &&
        (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
        setvbuf(stdout, NULL, _IOLBF, 0);
}
