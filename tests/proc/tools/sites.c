/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_T counters of pairs of sites. With the argument "gateways" the first half of the ranks is one site, the other
 * half another one, and only gateways lead there; without, there are no sites, and all is 0.
 */
#include "tool.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { RANKS_MAX = 8, LONG = 1000000 };

static char out[LONG], in[LONG];

/* With the rank of the same place in the other half. */
static void exchange(int other)
{
    MPI_Sendrecv(out, LONG, MPI_CHAR, other, 0, in, LONG, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void check_rank(int i, int other, bool has_gateways, const unsigned long long *values[4])
{
    if (i != other || !has_gateways) {
        check_eq(values[0][i], 0);
        check_eq(values[1][i], 0);
        check_eq(values[3][i], 0);
        return;
    }
    check(values[0][i] >= LONG && values[1][i] >= LONG); /* others of the site may have sent as much */
    check(values[2][i] < LONG);
    check(values[3][i] > 0);
}

int main(int argc, char **argv)
{
    static const char *const names[4] = {"peer_site_bytes_out", "peer_site_bytes_in", "peer_site_resent",
                                         "peer_site_round_trip_us"};
    static unsigned long long values[4][RANKS_MAX];
    const unsigned long long *all[4] = {values[0], values[1], values[2], values[3]};
    struct timespec a_while = {0, 200000000}; /* they are asked for at most ten times a second */
    bool has_gateways = argc > 1 && strcmp(argv[1], "gateways") == 0;
    MPI_T_pvar_handle handles[4];
    MPI_T_pvar_session s;
    MPI_Comm comm = MPI_COMM_WORLD;
    int count;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &count);
    proc_begin(&argc, &argv);
    check(proc_size <= RANKS_MAX);
    int other = (proc_rank + proc_size / 2) % proc_size;
    exchange(other);
    MPI_T_pvar_session_create(&s);
    for (int i = 0; i < 4; i++) {
        handles[i] = get_pvar(s, names[i], i < 3 ? MPI_T_PVAR_CLASS_COUNTER : MPI_T_PVAR_CLASS_LEVEL, &comm, &count);
        check_eq(count, proc_size);
    }
    check_eq(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD); /* or the other one's first bytes come before this one counts */
    exchange(other);
    MPI_Barrier(MPI_COMM_WORLD);
    nanosleep(&a_while, NULL);
    for (int i = 0; i < 4; i++)
        check_eq(MPI_T_pvar_read(s, handles[i], values[i]), MPI_SUCCESS);
    for (int i = 0; i < proc_size; i++)
        if (i == other || (i < proc_size / 2) == (proc_rank < proc_size / 2))
            check_rank(i, other, has_gateways, all);
    MPI_T_pvar_session_free(&s);
    MPI_Finalize();
    MPI_T_finalize();
    return proc_failures != 0;
}
