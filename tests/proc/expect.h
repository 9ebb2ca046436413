/* SPDX-License-Identifier: BSD-3-Clause
 *
 * expect: an error's class and, word for word, its text.
 */
#ifndef HWS_TESTS_PROC_EXPECT_H
#define HWS_TESTS_PROC_EXPECT_H

#include "proc.h"

/* want: the text after "rank R on host NAME: ". */
static inline void proc_expect(const char *file, int line, int code, int cls, const char *want)
{
    char text[MPI_MAX_ERROR_STRING] = "", host[MPI_MAX_PROCESSOR_NAME], whole[2 * MPI_MAX_ERROR_STRING];
    int got = -1, len;
    MPI_Error_class(code, &got);
    MPI_Error_string(code, text, &len);
    MPI_Get_processor_name(host, &len);
    snprintf(whole, sizeof whole, "rank %d on host %s: %s", proc_rank, host, want);
    if (got == cls && strcmp(text, whole) == 0)
        return;
    proc_failures++;
    fprintf(stderr, "rank %d: %s:%d: class %d, text\n  %s\nnot class %d, text\n  %s\n", proc_rank, file, line, got,
            text, cls, whole);
}

#define expect(code, cls, want) proc_expect(__FILE__, __LINE__, code, cls, want)

#endif
