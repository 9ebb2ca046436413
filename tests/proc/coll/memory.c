/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory: collectives of which one rank gets no memory for its data: each rank in turn, blocking, nonblocking and
 * persistent ones. Nobody waits for ever, whoever fails says MPI_ERR_NO_MEM, and what follows is right.
 */
#define _GNU_SOURCE
#include "../../support/sanitized.h"
#include "proc.h"

#include <stdbool.h>

#define MOST  (512u << 10) /* bytes that a starving rank gets at once */
#define COUNT (512 << 10)  /* doubles of a vector: eight times as much, the eighth part still as much */

#if !HWS_SANITIZED && defined(__GLIBC__)
#define CAN_STARVE 1
extern void *__libc_malloc(size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);
static volatile bool starving;

__attribute__((visibility("default"))) void *malloc(size_t n)
{
    return starving && n > MOST ? NULL : __libc_malloc(n);
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t alignment, size_t n)
{
    return starving && n > MOST ? NULL : __libc_memalign(alignment, n);
}
#else
#define CAN_STARVE 0
static bool starving;
#endif

static double *in, *out;
static int failures;

static void judge(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    failures += class != MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        check_eq(class, MPI_ERR_NO_MEM);
}

static void blocking(int root)
{
    int part = COUNT / proc_size;
    judge(MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    judge(MPI_Reduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD));
    judge(MPI_Reduce_scatter_block(in, out, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    judge(MPI_Scan(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    judge(MPI_Allgather(in, part, MPI_DOUBLE, out, part, MPI_DOUBLE, MPI_COMM_WORLD));
    judge(MPI_Gather(in, part, MPI_DOUBLE, out, part, MPI_DOUBLE, root, MPI_COMM_WORLD));
    judge(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, part, MPI_DOUBLE, MPI_COMM_WORLD));
}

static void later(MPI_Request *r, int code)
{
    judge(code);
    if (code == MPI_SUCCESS)
        judge(MPI_Wait(r, MPI_STATUS_IGNORE));
}

static void nonblocking(int root)
{
    MPI_Request r;
    int part = COUNT / proc_size;
    later(&r, MPI_Iallreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r));
    later(&r, MPI_Ireduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD, &r));
    later(&r, MPI_Ireduce_scatter_block(in, out, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r));
    later(&r, MPI_Iexscan(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r));
    later(&r, MPI_Igather(in, part, MPI_DOUBLE, out, part, MPI_DOUBLE, root, MPI_COMM_WORLD, &r));
}

/* Twice: a rank for which all was well does not wait, the second time, for those that failed. */
static void again(MPI_Request *r, int code)
{
    judge(code);
    for (int i = 0; i < 2 && code == MPI_SUCCESS; i++) {
        judge(MPI_Start(r));
        judge(MPI_Wait(r, MPI_STATUS_IGNORE));
    }
    if (code == MPI_SUCCESS)
        MPI_Request_free(r);
}

static void persistent(int root)
{
    MPI_Request r;
    MPI_Info none = MPI_INFO_NULL;
    int part = COUNT / proc_size, hungry = (root + proc_size - 1) % proc_size;
    again(&r, MPI_Reduce_scatter_block_init(in, out, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, none, &r));
    again(&r, MPI_Reduce_init(in, out, COUNT, MPI_DOUBLE, MPI_SUM, hungry, MPI_COMM_WORLD, none, &r));
    again(&r, MPI_Gather_init(in, part, MPI_DOUBLE, out, part, MPI_DOUBLE, root, MPI_COMM_WORLD, none, &r));
    again(&r, MPI_Scan_init(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, none, &r));
}
static void starve(int rank, void (*some)(int root))
{
    starving = CAN_STARVE && rank == proc_rank;
    some((rank + 1) % proc_size);
    starving = false;
}

int main(int argc, char **argv)
{
    int all = 0;
    proc_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    in = calloc(COUNT, sizeof *in);
    out = calloc(COUNT, sizeof *out);
    for (int i = 0; i < proc_size; i++) {
        starve(i, blocking);
        starve(i, nonblocking);
        starve(i, persistent);
    }
    check_eq(MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    check(all > 0 || !CAN_STARVE || proc_size == 1);
    if (proc_rank == 0)
        printf("%d failures\n", all);
    free(in);
    free(out);
    return proc_end();
}
