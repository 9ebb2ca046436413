/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_T categories: one holds all others, and every variable and event is in exactly one of those.
 */
#include "tool.h"

typedef int get_fn(int cat_index, int len, int indices[]);

enum { MAX = 100 };

/* Counts in how many categories each of n things is. */
static void check_members(const char *what, get_fn *get, const int *numbers, int n_categories, int n)
{
    int count[MAX] = {0}, members[MAX], none[1] = {-7};
    check(n > 0 && n < MAX);
    for (int c = 0; c < n_categories; c++) {
        check_eq(get(c, MAX, members), MPI_SUCCESS);
        for (int i = 0; i < numbers[c]; i++)
            count[members[i]]++;
        check_eq(get(c, 0, NULL), MPI_SUCCESS);
        check_eq(get(c, 1, NULL), MPI_T_ERR_INVALID);
    }
    check_eq(get(n_categories, 1, none), MPI_T_ERR_INVALID_INDEX);
    check_eq(none[0], -7);
    for (int i = 0; i < n; i++)
        if (count[i] != 1) {
            fprintf(stderr, "%s %d is in %d categories\n", what, i, count[i]);
            proc_failures++;
        }
}

int main(int argc, char **argv)
{
    int provided, n, n_cvars, n_pvars, n_events, index, n_inside, changed;
    int cvars[MAX], pvars[MAX], events[MAX], inside[MAX];
    char name[64];
    check_eq(MPI_T_category_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_eq(MPI_T_category_get_num(&n), MPI_SUCCESS);
    for (int i = 0; i < n; i++) {
        int len = sizeof name;
        check_eq(MPI_T_category_get_info(i, name, &len, NULL, NULL, &cvars[i], &pvars[i], &n_inside), MPI_SUCCESS);
        check_eq(n_inside, i == 0 ? n - 1 : 0);
        check_eq(MPI_T_category_get_num_events(i, &events[i]), MPI_SUCCESS);
        check_eq(MPI_T_category_get_index(name, &index), MPI_SUCCESS);
        check_eq(index, i);
    }
    check_eq(MPI_T_category_get_index("no such category", &index), MPI_T_ERR_INVALID_NAME);
    check_eq(MPI_T_category_get_categories(0, n - 1, inside), MPI_SUCCESS);
    for (int i = 0; i < n - 1; i++)
        check_eq(inside[i], i + 1);
    MPI_T_cvar_get_num(&n_cvars);
    MPI_T_pvar_get_num(&n_pvars);
    MPI_T_event_get_num(&n_events);
    check_members("control variable", MPI_T_category_get_cvars, cvars, n, n_cvars);
    check_members("performance variable", MPI_T_category_get_pvars, pvars, n, n_pvars);
    check_members("event", MPI_T_category_get_events, events, n, n_events);
    check_eq(MPI_T_category_changed(&changed), MPI_SUCCESS);
    proc_begin(&argc, &argv);
    int later;
    MPI_T_category_changed(&later);
    check_eq(later, changed);
    MPI_T_finalize();
    return proc_end();
}
