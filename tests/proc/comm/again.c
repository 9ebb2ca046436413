/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators that are made and freed without end: their context ids come again, their memory does not grow. Messages
 * that nobody received before a communicator was freed must never show up in a later one.
 *
 *   (no word)      all ways to make one, groups and leaders of all kinds, messages left behind
 *   dups=N         N times MPI_Comm_dup, a barrier, MPI_Comm_free
 *   splits=N       N times MPI_Comm_split by rank
 *
 * The last two tell what a rank has grown by, after a tenth of the turns, and fail above 64 KiB of heap or 1 MB of
 * resident memory.
 */
#include <malloc.h>
#include <unistd.h>

#include "proc.h"

#define HEAP_GROWTH (64 << 10) /* bytes */
#define GROWTH      (1 << 20)

static unsigned seed;

static int below(int n)
{
    seed = seed * 1103515245u + 12345u;
    return (int)((seed >> 8) % (unsigned)n);
}

/* ---- memory ---- */

static long long heap(void)
{
    struct mallinfo2 m = mallinfo2();
    return (long long)(m.uordblks + m.hblkhd);
}

/* Without the pages of rings and areas, whose number is fixed: they are counted when first touched, however late. */
static long long resident(void)
{
    long long pages = 0, shared = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*d %lld %lld", &pages, &shared) != 2)
        pages = shared = 0;
    if (f)
        fclose(f);
    return (pages - shared) * sysconf(_SC_PAGESIZE);
}

static void repeat(const char *what, int n, void (*once)(int i))
{
    long long heap_then = 0, resident_then = 0;
    double then = MPI_Wtime();
    for (int i = 0; i < n; i++) {
        if (i == n / 10) {
            heap_then = heap();
            resident_then = resident();
        }
        once(i);
    }
    long long grown[2] = {heap() - heap_then, resident() - resident_then}, most[2];
    MPI_Reduce(grown, most, 2, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (proc_rank == 0) {
        printf("%d %s of %d ranks: %.1f us each, heap grown by %lld bytes at most, resident memory by %lld\n", n, what,
               proc_size, (MPI_Wtime() - then) / n * 1e6, most[0], most[1]);
        check(most[0] < HEAP_GROWTH);
        check(most[1] < GROWTH);
    }
}

static void dup_once(int i)
{
    MPI_Comm c;
    (void)i;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Barrier(c);
    MPI_Comm_free(&c);
}

static void split_once(int i)
{
    MPI_Comm c;
    int size;
    MPI_Comm_split(MPI_COMM_WORLD, proc_rank, i, &c);
    MPI_Comm_size(c, &size);
    check_eq(size, 1);
    MPI_Comm_free(&c);
}

/* ---- all ways ---- */

/* A new communicator's members talk, with one tag and about its number. Some also say what nobody receives. */
static void talk(MPI_Comm c, int number, int leave)
{
    int rank, size, other, in = -1, wrong = -1 - number, remote = 0;
    MPI_Comm_test_inter(c, &remote);
    MPI_Comm_rank(c, &rank);
    if (remote)
        MPI_Comm_remote_size(c, &size);
    else
        MPI_Comm_size(c, &size);
    if (remote) {
        if (rank >= size)
            return;
        MPI_Sendrecv(&number, 1, MPI_INT, rank, 1, &in, 1, MPI_INT, rank, 1, c, MPI_STATUS_IGNORE);
        check_eq(in, number);
        return;
    }
    other = (rank + 1) % size;
    MPI_Sendrecv(&number, 1, MPI_INT, other, 1, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c, MPI_STATUS_IGNORE);
    check_eq(in, number);
    MPI_Allreduce(&number, &in, 1, MPI_INT, MPI_MAX, c);
    check_eq(in, number);
    if (leave) /* as long as eager messages go: nobody waits for it */
        MPI_Send(&wrong, 1, MPI_INT, other, 1, c);
}

static MPI_Comm make_within(MPI_Comm parent, int how, int number)
{
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Request req;
    MPI_Group all, some;
    int rank, size, first = below(proc_size);
    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    switch (how) {
    case 0:
        MPI_Comm_dup(parent, &c);
        break;
    case 1:
        MPI_Comm_idup(parent, &c, &req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        break;
    case 2: /* leaders of all kinds */
        MPI_Comm_split(parent, (rank + first) % 2, (rank + number) % size, &c);
        break;
    case 3:
        MPI_Comm_split(parent, rank == first ? MPI_UNDEFINED : 0, -rank, &c);
        break;
    case 4:
        MPI_Comm_group(parent, &all);
        MPI_Group_excl(all, 1, &(int){first % size}, &some);
        if (number % 2)
            MPI_Comm_create(parent, some, &c);
        else if (rank != first % size)
            MPI_Comm_create_group(parent, some, 3, &c);
        MPI_Group_free(&all);
        MPI_Group_free(&some);
        break;
    default:
        MPI_Cart_create(parent, 1, &size, &(int){0}, 1, &c);
        break;
    }
    return c;
}

static void make_between(MPI_Comm parent, int number)
{
    MPI_Comm half, inter, dup, split, merged;
    MPI_Request req;
    int rank, size;
    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    if (size < 2)
        return;
    int side = rank >= size / 2, halves[2] = {size / 2, size - size / 2}, leaders[2];
    for (int s = 0; s < 2; s++)
        leaders[s] = below(halves[s]);
    MPI_Comm_split(parent, side, 0, &half);
    MPI_Intercomm_create(half, leaders[side], parent, leaders[!side] + (side ? 0 : halves[0]), 4, &inter);
    MPI_Comm_idup(inter, &dup, &req);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Comm_split(inter, number % 3 == 0 ? side : number % 3 == 1 ? rank % 2 : 0, rank, &split);
    MPI_Intercomm_merge(inter, side ^ (number & 1), &merged);
    talk(inter, number, 0);
    talk(dup, number, 0);
    if (split != MPI_COMM_NULL)
        talk(split, number, 0);
    talk(merged, number, 1);
    if (number & 1)
        MPI_Comm_free(&inter);
    MPI_Comm_free(&dup);
    if (split != MPI_COMM_NULL)
        MPI_Comm_free(&split);
    MPI_Comm_free(&merged);
    if (!(number & 1))
        MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

#define KEPT 7

static void all_ways(int turns)
{
    MPI_Comm kept[KEPT];
    for (int i = 0; i < KEPT; i++)
        kept[i] = MPI_COMM_NULL;
    for (int i = 0; i < turns; i++) {
        int at = below(KEPT), how = below(6); /* the same at all ranks; which members free first is not */
        if (kept[at] != MPI_COMM_NULL)
            MPI_Comm_free(&kept[at]);
        kept[at] = make_within(MPI_COMM_WORLD, how, i);
        if (kept[at] != MPI_COMM_NULL)
            talk(kept[at], i, i % 3 == 0);
        if (i % 16 == 0)
            make_between(MPI_COMM_WORLD, i);
    }
    for (int i = 0; i < KEPT; i++)
        if (kept[i] != MPI_COMM_NULL)
            MPI_Comm_free(&kept[i]);
}

/* A request keeps its communicator after MPI_Comm_free, and with it the id. */
static void freed_early(void)
{
    int in = -1, last = proc_size - 1, big[20000] = {0};
    MPI_Comm c, more;
    MPI_Request req;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    if (proc_rank == 0)
        MPI_Irecv(big, 20000, MPI_INT, last, 1, c, &req);
    MPI_Comm_free(&c);
    for (int i = 0; i < 600; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &more);
        if (proc_rank == last)
            MPI_Send(&i, 1, MPI_INT, 0, 1, more);
        if (proc_rank == 0) {
            MPI_Recv(&in, 1, MPI_INT, last, 1, more, MPI_STATUS_IGNORE);
            check_eq(in, i);
        }
        MPI_Comm_free(&more);
    }
    if (proc_rank == 0) {
        MPI_Test(&req, &in, MPI_STATUS_IGNORE);
        check_eq(in, 0);
        MPI_Cancel(&req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        check_eq(big[0], 0);
    }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    seed = 7;
    int n;
    if (argc > 1 && sscanf(argv[1], "dups=%d", &n) == 1) {
        repeat("dups", n, dup_once);
    } else if (argc > 1 && sscanf(argv[1], "splits=%d", &n) == 1) {
        repeat("splits by rank", n, split_once);
    } else {
        all_ways(200);
        if (proc_size > 1)
            freed_early();
    }
    return proc_end();
}
