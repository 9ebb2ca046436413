/* SPDX-License-Identifier: BSD-3-Clause
 *
 * integer: INTEGER of 8 bytes as C's int, and back (integer.h).
 */
#include "fortran/fortran.h"

#include <string.h>

#if HWS_INTEGER_BYTES == 8

int *hws_ints(const hws_integer *from, MPI_Count n)
{
    int *to = calloc(n > 0 ? (size_t)n : 1, sizeof *to);
    for (MPI_Count i = 0; to && i < n; i++)
        to[i] = hws_int(from[i]);
    return to;
}

void hws_ints_back(hws_integer *to, const int *from, MPI_Count n)
{
    for (MPI_Count i = 0; i < n; i++)
        to[i] = from[i];
}

MPI_Count hws_sum(const int *list, MPI_Count n)
{
    MPI_Count sum = 0;
    for (MPI_Count i = 0; list && i < n; i++)
        sum += list[i] > 0 ? list[i] : 0;
    return sum;
}

MPI_Count hws_last(const int *list, MPI_Count n)
{
    return list && n > 0 ? list[n - 1] : 0;
}

/* ---- weights, error codes */
static bool is_sentinel(const hws_integer *from)
{
    return from == &hws_unweighted || from == &hws_weights_empty || from == &hws_errcodes_ignore;
}

int *hws_list(const hws_integer *from, MPI_Count n)
{
    if (from == &hws_unweighted)
        return MPI_UNWEIGHTED;
    if (from == &hws_weights_empty)
        return MPI_WEIGHTS_EMPTY;
    return from == &hws_errcodes_ignore ? MPI_ERRCODES_IGNORE : hws_ints(from, n);
}

void hws_list_back(hws_integer *to, const int *from, MPI_Count n)
{
    if (!is_sentinel(to))
        hws_ints_back(to, from, n);
}

bool hws_is_list(const hws_integer *from, const int *list)
{
    return list || is_sentinel(from);
}

void hws_list_end(const hws_integer *from, int *list)
{
    if (!is_sentinel(from))
        free(list);
}

void hws_all_started(hws_integer *codes, MPI_Comm started)
{
    int n = 0;
    if (is_sentinel(codes) || started == MPI_COMM_NULL || PMPI_Comm_remote_size(started, &n) != MPI_SUCCESS)
        return;
    for (int i = 0; i < n; i++)
        codes[i] = MPI_SUCCESS;
}

/* ---- statuses: eight integers each */
_Static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(int), "a status is eight integers");

static bool is_ignored(const hws_integer *status)
{
    return status == hws_status_ignore || status == hws_status_ignore_f08 || status == hws_statuses_ignore ||
           status == hws_statuses_ignore_f08;
}

/* Of a status that MPI has not set anything can be there: its lower half is kept. */
static void convert(const hws_integer *from, MPI_Status *to)
{
    int parts[MPI_F_STATUS_SIZE];
    for (int i = 0; i < MPI_F_STATUS_SIZE; i++)
        parts[i] = (int)from[i];
    memcpy(to, parts, sizeof *to);
}

MPI_Status *hws_status_of(const hws_integer *from, MPI_Status *room)
{
    if (is_ignored(from))
        return MPI_STATUS_IGNORE;
    convert(from, room);
    return room;
}

MPI_Status *hws_statuses_of(const hws_integer *from, MPI_Count n)
{
    if (is_ignored(from))
        return MPI_STATUSES_IGNORE;
    MPI_Status *to = malloc((n > 0 ? (size_t)n : 1) * sizeof *to);
    for (MPI_Count i = 0; to && i < n; i++)
        convert(from + i * MPI_F_STATUS_SIZE, &to[i]);
    return to;
}

void hws_statuses_back(hws_integer *to, const MPI_Status *from, MPI_Count n)
{
    int parts[MPI_F_STATUS_SIZE];
    for (MPI_Count s = 0; !is_ignored(to) && from && s < n; s++, to += MPI_F_STATUS_SIZE) {
        memcpy(parts, &from[s], sizeof parts);
        for (int i = 0; i < MPI_F_STATUS_SIZE; i++)
            to[i] = parts[i];
    }
}

bool hws_are_statuses(const hws_integer *from, const MPI_Status *statuses)
{
    return statuses || is_ignored(from);
}
#endif
