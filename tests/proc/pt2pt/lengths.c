/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lengths: messages of lengths around those at which something changes within a host: where data begins with a cache
 * line, is written by another instruction, needs an answer, comes in several pieces, is copied once or twice. Roles:
 * the lower rank sends, the higher one, both at once; one message at a time, held back until it is received, a window
 * of them, a stream where only one sends; received before it is sent or later, as bytes or with gaps.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proc.h"

enum { WINDOW = 40, MANY = 24, GUARD = 64, LONGEST = (1 << 20) + 4096 };

static const int edges[] = {0,    16,   32,    512,   1008,  1024,  1040,   2048,   4096,
                            8176, 8192, 16368, 16384, 32768, 65536, 131072, 262144, 1 << 20};

static unsigned char *out, *in;
static int other;
static MPI_Datatype gaps; /* one byte of two */

static unsigned char content(int i, int number, int from)
{
    return (unsigned char)(i * 7 + i / 251 + number * 13 + from * 101 + 1);
}

static void fill(int len, int number)
{
    for (int i = 0; i < len; i++)
        out[i] = content(i, number, proc_rank);
}

static void verify(const unsigned char *got, int step, int len, int number)
{
    int wrong = 0;
    for (int i = 0; i < len; i++)
        wrong += got[i * step] != content(i, number, other) || (step == 2 && got[i * step + 1] != 0xee);
    for (int i = 0; i < GUARD; i++)
        wrong += got[len * step + i] != 0xee;
    check_eq(wrong, 0);
}

/* Of a window, all have the same content. */
static void exchange(int len, int number, bool sends, bool receives, bool late)
{
    MPI_Request q[2 * WINDOW];
    int n = number % 3 == 2 && len <= 8192 ? WINDOW : 1, n_posted = 0;
    bool spread = number % 5 == 4;
    MPI_Datatype type = spread ? gaps : MPI_BYTE;
    size_t place = (size_t)len * (spread ? 2 : 1) + GUARD;
    fill(len, number);
    memset(in, 0xee, (size_t)n * place);
    if (late)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n && receives && !late; i++)
        MPI_Irecv(in + (size_t)i * place, len, type, other, number, MPI_COMM_WORLD, &q[n_posted++]);
    for (int i = 0; i < n && sends; i++)
        (number % 3 == 1 ? MPI_Issend : MPI_Isend)(out, len, MPI_BYTE, other, number, MPI_COMM_WORLD, &q[n_posted++]);
    for (int i = 0; i < n && receives && late; i++)
        MPI_Irecv(in + (size_t)i * place, len, type, other, number, MPI_COMM_WORLD, &q[n_posted++]);
    MPI_Waitall(n_posted, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n && receives; i++)
        verify(in + (size_t)i * place, spread ? 2 : 1, len, number);
}

/* Enough long ones that both ways are tried. */
static void lengths(bool sends, bool receives)
{
    for (unsigned e = 0; e < sizeof edges / sizeof edges[0]; e++)
        for (int d = edges[e] ? -1 : 0; d <= 1; d++)
            for (int number = 0; number < (edges[e] >= 131072 && d == 0 ? MANY : 5); number++)
                exchange(edges[e] + d, number, sends, receives, number % 2);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    other = 1 - proc_rank;
    out = malloc(LONGEST);
    in = malloc(2 * LONGEST);
    check(out && in);
    MPI_Type_create_resized(MPI_BYTE, 0, 2, &gaps);
    MPI_Type_commit(&gaps);
    lengths(proc_rank == 0, proc_rank == 1);
    lengths(proc_rank == 1, proc_rank == 0);
    lengths(true, true);
    MPI_Type_free(&gaps);
    free(out);
    free(in);
    return proc_end();
}
