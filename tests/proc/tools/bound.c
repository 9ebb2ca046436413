/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bound: ranks that another hand than mpirun's has bound, as taskset does. Arguments: the processors of each rank as
 * bits
 * ("1,1,2": of the first two that mpirun may use), how many processors that makes, and whether the ranks are too many.
 * What is decided by it: long messages are copied from the sender only where ranks are too many, and also there not
 * those that go to three ranks or more at once, unless HAWSER_SHMSINGLECOPY is 1.
 */
#define _GNU_SOURCE
#include <sched.h>

#include "tool.h"

#define BYTES (1 << 20)

/* False: there is no such processor here. */
static int bind_rank(const char *masks, int rank)
{
    cpu_set_t may, set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof may, &may) != 0)
        return 0;
    for (; rank > 0 && masks; rank--)
        masks = strchr(masks, ',') ? strchr(masks, ',') + 1 : NULL;
    unsigned long bits = masks ? strtoul(masks, NULL, 16) : 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && bits; cpu++) {
        if (!CPU_ISSET(cpu, &may))
            continue;
        if (bits & 1)
            CPU_SET(cpu, &set);
        bits >>= 1;
    }
    return !bits && CPU_COUNT(&set) > 0 && sched_setaffinity(0, sizeof set, &set) == 0;
}

static int read_level(const char *name)
{
    int count;
    unsigned long long value = 0;
    MPI_T_pvar_session s;
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_handle h = get_pvar(s, name, MPI_T_PVAR_CLASS_LEVEL, NULL, &count);
    check_eq(MPI_T_pvar_read(s, h, &value), MPI_SUCCESS);
    MPI_T_pvar_session_free(&s);
    return (int)value;
}

#define MAX_RANKS 8
#define BLOCK     (256 << 10)

/* A block to each of the next n ranks; byte i of what rank r gives to rank t is r + t + i. */
static void give_next(int rank, int size, int n, int nonblocking)
{
    int scounts[MAX_RANKS] = {0}, rcounts[MAX_RANKS] = {0}, displs[MAX_RANKS], wrong = 0;
    unsigned char *out = malloc((size_t)size * BLOCK), *in = calloc((size_t)size, BLOCK);
    MPI_Request q;
    for (int r = 0; r < size; r++) {
        displs[r] = r * BLOCK;
        for (int i = 0; i < BLOCK; i++)
            out[displs[r] + i] = (unsigned char)(rank + r + i);
    }
    for (int k = 1; k <= n; k++) {
        scounts[(rank + k) % size] = BLOCK;
        rcounts[(rank + size - k) % size] = BLOCK;
    }
    if (nonblocking) {
        MPI_Ialltoallv(out, scounts, displs, MPI_BYTE, in, rcounts, displs, MPI_BYTE, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    } else {
        MPI_Alltoallv(out, scounts, displs, MPI_BYTE, in, rcounts, displs, MPI_BYTE, MPI_COMM_WORLD);
    }
    for (int r = 0; r < size; r++)
        for (int i = 0; i < rcounts[r]; i++)
            wrong += in[displs[r] + i] != (unsigned char)(rank + r + i);
    check_eq(wrong, 0);
    free(out);
    free(in);
}

/* may: the kernel and the settings let long messages be copied once. */
static void check_several(int rank, int size, int may)
{
    const char *setting = getenv("HAWSER_SHMSINGLECOPY");
    int always = setting && strcmp(setting, "1") == 0;
    for (int n = 1; n < size; n++) {
        unsigned long long before = read_counter("single_copies");
        give_next(rank, size, n, 0);
        give_next(rank, size, n, 1);
        int got = (int)(read_counter("single_copies") - before);
        check_eq(got, may && (n < 3 || always) ? 2 * n : 0);
    }
}

static void check_copies(int rank, int size, int is_crowded)
{
    int may, mine;
    char *data = calloc(1, BYTES);
    if (rank == 0)
        MPI_Send(data, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(data, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(data);
    unsigned long long n_single = read_counter("single_copies"), n_double = read_counter("double_copies");
    if (n_single + n_double > 0 && !is_crowded)
        check_eq((int)n_single, 0);
    mine = (int)n_single;
    MPI_Allreduce(&mine, &may, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check_several(rank, size, may > 0);
}

int main(int argc, char **argv)
{
    int provided;
    const char *number = getenv("PMI_RANK");
    if (argc != 4 || !number || !bind_rank(argv[1], atoi(number)))
        return 77;
    proc_begin(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_copies(proc_rank, proc_size, atoi(argv[3]));
    check_eq(read_level("processors"), atoi(argv[2]));
    check_eq(read_level("crowded"), atoi(argv[3]));
    MPI_T_finalize();
    return proc_end();
}
