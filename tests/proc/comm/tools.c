/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_T: every tuning parameter is a control variable that can be written before MPI_Init only; counters count;
 * indices, names and handles that don't exist are refused.
 */
#include "proc.h"

static void control_before(void)
{
    int n, index, len, count, verbosity, bind, scope, found = 0;
    char name[64], desc[256];
    MPI_Datatype type;
    MPI_T_enum e;
    MPI_T_cvar_handle h;
    unsigned long long value = 0;
    MPI_T_cvar_get_num(&n);
    check(n > 10);
    for (int i = 0; i < n; i++) {
        int name_len = sizeof name, desc_len = sizeof desc;
        check_eq(MPI_T_cvar_get_info(i, name, &name_len, &verbosity, &type, &e, desc, &desc_len, &bind, &scope), 0);
        check_eq(name_len, (int)strlen(name) + 1);
        check(strncmp(name, "HAWSER_", 7) == 0 && desc_len > 4);
        check_eq(MPI_T_cvar_get_index(name, &index), 0);
        check_eq(index, i);
        found += e != MPI_T_ENUM_NULL;
    }
    check(found > 0);
    len = 0;
    MPI_T_cvar_get_info(0, NULL, &len, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    check(len > 7);
    check_eq(MPI_T_cvar_get_index("no such variable", &index), MPI_T_ERR_INVALID_NAME);
    check_eq(MPI_T_cvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);

    MPI_T_cvar_get_index("HAWSER_TCPEAGERSEND", &index);
    MPI_T_cvar_handle_alloc(index, NULL, &h, &count);
    check_eq(count, 1);
    value = 12345;
    check_eq(MPI_T_cvar_write(h, &value), MPI_SUCCESS);
    value = ~0ull;
    check_eq(MPI_T_cvar_write(h, &value), MPI_T_ERR_INVALID);
    MPI_T_cvar_handle_free(&h);
    check(h == MPI_T_CVAR_HANDLE_NULL);
}

static void control_after(void)
{
    int index, count;
    MPI_T_cvar_handle h;
    unsigned long long value = 0;
    MPI_T_cvar_get_index("HAWSER_TCPEAGERSEND", &index);
    MPI_T_cvar_handle_alloc(index, NULL, &h, &count);
    MPI_T_cvar_read(h, &value);
    check_eq(value, 12345); /* MPI_Init took it */
    check_eq(MPI_T_cvar_write(h, &value), MPI_T_ERR_CVAR_SET_NOT_NOW);
    MPI_T_cvar_handle_free(&h);
}

static void counters(void)
{
    int n, index, count, category, n_pvars;
    unsigned long long before, after;
    char name[64];
    MPI_T_pvar_session s;
    MPI_T_pvar_handle h;
    MPI_T_pvar_get_num(&n);
    check(n > 5);
    MPI_T_category_get_index("hawser_engine", &category);
    int len = sizeof name;
    MPI_T_category_get_info(category, name, &len, NULL, NULL, NULL, &n_pvars, NULL);
    check_eq(n_pvars, n);
    check_eq(MPI_T_pvar_get_index("bytes_out", MPI_T_PVAR_CLASS_COUNTER, &index), 0);
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_handle_alloc(s, index, NULL, &h, &count);
    check_eq(MPI_T_pvar_start(s, h), MPI_T_ERR_PVAR_NO_STARTSTOP);
    check_eq(MPI_T_pvar_reset(s, h), MPI_T_ERR_PVAR_NO_WRITE);
    check_eq(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    MPI_T_pvar_read(s, h, &before);
    char out[1000] = {0}, in[1000];
    int to = proc_rank ^ 1;
    MPI_Sendrecv(out, 1000, MPI_CHAR, to, 0, in, 1000, MPI_CHAR, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_T_pvar_read(s, h, &after);
    check(after >= before + 1000);
    MPI_T_pvar_handle_free(s, &h);
    check_eq(MPI_T_pvar_read(s, h, &after), MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_session_free(&s);
    check(s == MPI_T_PVAR_SESSION_NULL);
}

static void events(void)
{
    int n = -1;
    MPI_T_event_get_num(&n);
    check_eq(n, 0);
    MPI_T_source_get_num(&n);
    check_eq(n, 0);
    check_eq(MPI_T_event_get_index("x", &n), MPI_T_ERR_INVALID_NAME);
    check_eq(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, NULL), MPI_T_ERR_INVALID_INDEX);
}

int main(int argc, char **argv)
{
    int provided, n;
    check_eq(MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    check_eq(provided, MPI_THREAD_MULTIPLE);
    control_before();
    proc_begin(&argc, &argv);
    control_after();
    counters();
    events();
    MPI_Finalize();
    MPI_T_cvar_get_num(&n);
    check(n > 10);
    MPI_T_finalize();
    check_eq(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    return proc_failures != 0;
}
