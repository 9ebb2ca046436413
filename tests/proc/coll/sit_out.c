/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sit_out: gatherv, scatterv, alltoallv at ranks of one host that have no part in them. They wait for nobody; what
 * others give them all the same, as where counts were forgotten, is told by the next call, which does what it is for;
 * givers of long blocks do not wait for ever. "open" as argument: the last such call is followed by MPI_Finalize alone.
 * "ends": one that has no part finalizes while others wait in the call; they don't take it for lost.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>

#include "shared.h"

#define MOST (1 << 18) /* ints */

enum { GATHERV, SCATTERV, ALLTOALLV, KINDS };

static int zeros[16], displs[16], out[MOST], in[MOST];

/* Rank `odd` has n elements for `other`; nobody else has any, nor is anything due. */
static int call(MPI_Comm c, int kind, int odd, int other, int n)
{
    int counts[16] = {0};
    bool gives = proc_rank == odd;
    counts[other] = gives ? n : 0;
    if (kind == GATHERV)
        return MPI_Gatherv(out, gives ? n : 0, MPI_INT, in, zeros, displs, MPI_INT, other, c);
    if (kind == SCATTERV)
        return MPI_Scatterv(out, counts, displs, MPI_INT, in, 0, MPI_INT, odd, c);
    return MPI_Alltoallv(out, counts, displs, MPI_INT, in, zeros, displs, MPI_INT, c);
}

/* Each comes when the one before it has returned. */
static void in_turn(MPI_Comm c, int kind, int root)
{
    if (proc_rank > 0)
        MPI_Recv(NULL, 0, MPI_BYTE, proc_rank - 1, kind, c, MPI_STATUS_IGNORE);
    check_eq(call(c, kind, root, root, 0), MPI_SUCCESS);
    if (proc_rank < proc_size - 1)
        MPI_Send(NULL, 0, MPI_BYTE, proc_rank + 1, kind, c);
}

/* Says what the call before has left, but does its own work. */
static int next_call(MPI_Comm c, int i)
{
    int one = 1, sum = 0, rc = MPI_SUCCESS;
    if (i % 3 == 0) {
        rc = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c);
        check_eq(sum, proc_size);
    } else if (i % 3 == 1) {
        one = proc_rank == 0 ? 7 : 0;
        rc = MPI_Bcast(&one, 1, MPI_INT, 0, c);
        check_eq(one, 7);
    } else {
        rc = MPI_Barrier(c);
    }
    return rc;
}

static void forgotten(MPI_Comm c, int kind, int odd, int other, int n, int i)
{
    static const char *const names[KINDS] = {"gatherv", "scatterv", "alltoallv"};
    char text[MPI_MAX_ERROR_STRING];
    int len;
    check_eq(call(c, kind, odd, other, n), MPI_SUCCESS);
    int rc = next_call(c, i);
    check_eq(proc_class(rc), proc_rank == other ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    if (rc != MPI_SUCCESS) {
        MPI_Error_string(rc, text, &len);
        check(strstr(text, names[kind]) != NULL);
    }
    check_eq(next_call(c, i + 1), MPI_SUCCESS);
}

/* A communicator ends with such a call. */
static void at_its_end(int kind, int odd, int other)
{
    MPI_Comm c;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Barrier(c);
    call(c, kind, odd, other, 1);
    check_eq(proc_class(MPI_Comm_free(&c)), proc_rank == other ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    check(c == MPI_COMM_NULL);
}

/* Messages that nobody takes are not found. */
static void all_of(int kind, bool finds)
{
    static const int lens[] = {1, 100, 16384, 16385, MOST};
    int i = 0;
    for (int odd = 0; odd < proc_size; odd++) {
        in_turn(MPI_COMM_WORLD, kind, odd);
        for (int other = 0; other < proc_size && finds; other++) {
            if (other == odd)
                continue;
            for (size_t k = 0; k < sizeof lens / sizeof *lens; k++)
                forgotten(MPI_COMM_WORLD, kind, odd, other, lens[k], i++);
            at_its_end(kind, odd, other);
        }
    }
}

/* Ranks 1 and up have something for each other, the last one late; rank 0 is gone by then. */
static void ends_early(void)
{
    int counts[16] = {0}, mine = proc_rank + 1, sum = 0;
    MPI_Comm c;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    MPI_Barrier(c);
    for (int i = 1; i < proc_size; i++)
        counts[i] = proc_rank > 0;
    for (int i = 0; i < proc_size; i++)
        displs[i] = i;
    for (double end = MPI_Wtime() + (proc_rank == proc_size - 1 ? 2.5 : 0); MPI_Wtime() < end;)
        sched_yield();
    for (int i = 0; i < proc_size; i++)
        out[i] = mine;
    check_eq(MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, c), MPI_SUCCESS);
    for (int i = 1; i < proc_size; i++)
        sum += in[i];
    check_eq(sum, proc_rank > 0 ? proc_size * (proc_size + 1) / 2 - 1 : 0);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* MPI_Finalize's */
    MPI_Barrier(MPI_COMM_WORLD);
    bool finds = proc_shares_memory(), open = finds && argc > 1 && strcmp(argv[1], "open") == 0;
    for (int kind = 0; kind < KINDS; kind++)
        all_of(kind, finds);
    if (open)
        call(MPI_COMM_WORLD, GATHERV, 0, 1, 100);
    else if (argc > 1)
        ends_early();
    int rc = MPI_Finalize();
    check_eq(proc_class(rc), open && proc_rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    return proc_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
