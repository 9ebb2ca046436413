/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_T events: opened connections, unexpected messages, want of credit; the data of an instance, its time and source;
 * of several callbacks the one of the lowest level; callbacks may communicate; what is dropped is counted;
 * registrations may be freed in their own callback. Lost and returning lanes: tests/sim/events_test.c.
 */
#include <stdbool.h>

#include "tool.h"

enum { TAG = 4711, END = 4712, BYTES = 1234, FLOOD = 3000 };

static int n_opened, n_unexpected, n_wrong_level, n_freed, n_flood, n_no_credit;
static MPI_Count n_dropped, n_unheard, last_time;
static bool is_free_called_last;

static MPI_T_event_registration add(const char *name, MPI_T_cb_safety level, MPI_T_event_cb_function *fn, void *data)
{
    int index = -1;
    MPI_T_event_registration r = NULL;
    check_eq(MPI_T_event_get_index(name, &index), MPI_SUCCESS);
    check_eq(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &r), MPI_SUCCESS);
    check_eq(MPI_T_event_register_callback(r, level, MPI_INFO_NULL, data, fn), MPI_SUCCESS);
    return r;
}

static void list_all(void)
{
    int n, index, bind;
    char name[64], desc[128];
    MPI_Datatype types[8];
    MPI_Aint at[8];
    MPI_Info info;
    MPI_T_enum e;
    check_eq(MPI_T_event_get_num(&n), MPI_SUCCESS);
    check_eq(n, 6);
    for (int i = 0; i < n; i++) {
        int name_len = sizeof name, desc_len = sizeof desc, n_elements = 8, n_names, n_keys;
        check_eq(
            MPI_T_event_get_info(i, name, &name_len, NULL, types, at, &n_elements, &e, &info, desc, &desc_len, &bind),
            0);
        check(n_elements >= 2 && at[0] == 0 && at[1] > 0);
        check_eq(MPI_T_enum_get_info(e, &n_names, NULL, NULL), MPI_SUCCESS);
        check_eq(n_names, n_elements);
        check_eq(bind, MPI_T_BIND_NO_OBJECT);
        MPI_Info_get_nkeys(info, &n_keys);
        check_eq(n_keys, 0);
        MPI_Info_free(&info);
        check_eq(MPI_T_event_get_index(name, &index), MPI_SUCCESS);
        check_eq(index, i);
    }
    check_eq(MPI_T_event_get_index("no such event", &index), MPI_T_ERR_INVALID_NAME);
    check_eq(MPI_T_event_handle_alloc(n, NULL, MPI_INFO_NULL, NULL), MPI_T_ERR_INVALID_INDEX);
}

static void list_sources(void)
{
    int n, len = 64;
    char name[64];
    MPI_T_source_order order;
    MPI_Count ticks, max, now, later;
    check_eq(MPI_T_source_get_num(&n), MPI_SUCCESS);
    check_eq(n, 1);
    check_eq(MPI_T_source_get_info(0, name, &len, NULL, NULL, &order, &ticks, &max, NULL), MPI_SUCCESS);
    check(order == MPI_T_SOURCE_ORDERED && ticks == 1000000000 && max > ticks);
    check_eq(MPI_T_source_get_info(1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
    check_eq(MPI_T_source_get_timestamp(0, &now), MPI_SUCCESS);
    check_eq(MPI_T_source_get_timestamp(0, &later), MPI_SUCCESS);
    check(later >= now);
    check_eq(MPI_T_source_get_timestamp(-1, &now), MPI_T_ERR_INVALID_INDEX);
}

static void hints(void)
{
    MPI_Info in, out;
    char value[16];
    int flag, len = sizeof value;
    MPI_T_event_registration r = NULL;
    MPI_Info_create(&in);
    MPI_Info_set(in, "color", "blue");
    check_eq(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &r), MPI_SUCCESS);
    check_eq(MPI_T_event_handle_set_info(r, in), MPI_SUCCESS);
    check_eq(MPI_T_event_handle_get_info(r, &out), MPI_SUCCESS);
    MPI_Info_get_string(out, "color", &len, value, &flag);
    check(flag && strcmp(value, "blue") == 0);
    MPI_Info_free(&out);
    check_eq(MPI_T_event_callback_get_info(r, MPI_T_CB_REQUIRE_NONE, &out), MPI_T_ERR_INVALID); /* no callback */
    check_eq(MPI_T_event_handle_free(r, NULL, NULL), MPI_SUCCESS);
    MPI_Info_free(&in);
}

static void on_opened(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety safety, void *data)
{
    int peer = -1;
    (void)r;
    check_eq(safety, MPI_T_CB_REQUIRE_NONE);
    check_eq(MPI_T_event_read(i, 0, &peer), MPI_SUCCESS);
    check_eq(peer, proc_rank < 0 ? peer : 1 - proc_rank);
    check_eq(MPI_T_event_read(i, 2, &peer), MPI_T_ERR_INVALID_INDEX);
    check_eq(MPI_T_event_read(i, 0, NULL), MPI_T_ERR_INVALID);
    ++*(int *)data;
}

static void on_unexpected(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety safety, void *data)
{
    struct {
        int peer, tag;
        unsigned long long bytes, queued;
    } ev;
    int source = -1, tag = -1, token = 5, back = 0;
    unsigned long long bytes = 0;
    MPI_Count when, now;
    (void)r, (void)safety;
    check_eq(MPI_T_event_copy(i, &ev), MPI_SUCCESS);
    if (ev.tag != TAG || ev.bytes != BYTES)
        return; /* the library's own, or the token below */
    check_eq(ev.peer, 1);
    check(ev.queued >= 1);
    check_eq(MPI_T_event_read(i, 1, &tag), MPI_SUCCESS);
    check_eq(MPI_T_event_read(i, 2, &bytes), MPI_SUCCESS);
    check_eq(tag, TAG);
    check_eq(bytes, BYTES);
    check_eq(MPI_T_event_get_source(i, &source), MPI_SUCCESS);
    check_eq(source, 0);
    check_eq(MPI_T_event_get_timestamp(i, &when), MPI_SUCCESS);
    MPI_T_source_get_timestamp(0, &now);
    check(when >= last_time && when <= now);
    last_time = when;
    MPI_Sendrecv(&token, 1, MPI_INT, 0, TAG, &back, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    check_eq(back, 5);
    ++*(int *)data;
}

static void on_wrong_level(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety safety, void *data)
{
    (void)i, (void)r, (void)safety;
    ++*(int *)data;
}

static void on_freed(MPI_T_event_registration r, MPI_T_cb_safety safety, void *data)
{
    (void)r;
    check_eq(safety, MPI_T_CB_REQUIRE_NONE);
    is_free_called_last = true;
    check(data == &n_freed);
}

static void on_once(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety safety, void *data)
{
    int tag = -1;
    (void)safety;
    MPI_T_event_read(i, 1, &tag);
    if (tag != TAG)
        return;
    check(!is_free_called_last);
    ++*(int *)data;
    check_eq(MPI_T_event_handle_free(r, data, on_freed), MPI_SUCCESS);
    check(!is_free_called_last); /* not while the callback runs */
}

static void on_flood(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety safety, void *data)
{
    int tag = -1;
    (void)r, (void)safety;
    MPI_T_event_read(i, 1, &tag);
    *(int *)data += tag == TAG;
}

static void on_dropped(MPI_Count n, MPI_T_event_registration r, int source, MPI_T_cb_safety safety, void *data)
{
    (void)r, (void)safety;
    check(n > 0 && source == 0 && data == &n_flood);
    n_dropped += n;
}

/* Rank 1 sends n messages that rank 0 receives only when all are here. */
static void send_early(int n, int bytes)
{
    static char buf[BYTES];
    for (int i = 0; i < n && proc_rank == 1; i++)
        MPI_Send(buf, bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    if (proc_rank == 1)
        MPI_Send(NULL, 0, MPI_CHAR, 0, END, MPI_COMM_WORLD);
    if (proc_rank == 0)
        MPI_Recv(NULL, 0, MPI_CHAR, 1, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n && proc_rank == 0; i++)
        MPI_Recv(buf, bytes, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What has happened is delivered by the next call that makes progress: with a progress thread not always by the one
 * that waited for it. */
static void settle(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, END, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static void unexpected(void)
{
    MPI_T_event_registration both, once;
    both = add("hawser_unexpected", MPI_T_CB_REQUIRE_THREAD_SAFE, on_wrong_level, &n_wrong_level);
    MPI_T_event_register_callback(both, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &n_unexpected, on_unexpected);
    once = add("hawser_unexpected", MPI_T_CB_REQUIRE_NONE, on_once, &n_freed);
    check_eq(MPI_T_event_register_callback(once, (MPI_T_cb_safety)7, MPI_INFO_NULL, NULL, on_once), MPI_T_ERR_INVALID);
    MPI_Barrier(MPI_COMM_WORLD);
    send_early(3, BYTES);
    MPI_Barrier(MPI_COMM_WORLD);
    settle();
    int want = proc_rank == 0;
    check_eq(n_unexpected, 3 * want);
    check_eq(n_wrong_level, 0);
    check_eq(n_freed, want);
    check_eq(is_free_called_last, want);
    check_eq(MPI_T_event_handle_free(both, NULL, NULL), MPI_SUCCESS);
    if (!want)
        MPI_T_event_handle_free(once, NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    send_early(2, BYTES);
    settle();
    check_eq(n_unexpected, 3 * want);
}

static void on_unheard(MPI_Count n, MPI_T_event_registration r, int source, MPI_T_cb_safety safety, void *data)
{
    (void)r, (void)safety;
    check(n > 0 && source == 0 && data == NULL);
    n_unheard += n;
}

/* An event for which there is no callback is dropped, and the handler hears of it. */
static void unheard(void)
{
    int index;
    MPI_T_event_registration r;
    MPI_T_event_get_index("hawser_unexpected", &index);
    MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &r);
    check_eq(MPI_T_event_set_dropped_handler(r, on_unheard), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    send_early(3, 0);
    settle();
    check(n_unheard >= (proc_rank == 0 ? 3 : 0));
    MPI_T_event_handle_free(r, NULL, NULL);
}

static void flood(void)
{
    MPI_T_event_registration r = add("hawser_unexpected", MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, on_flood, &n_flood);
    check_eq(MPI_T_event_set_dropped_handler(r, on_dropped), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD); /* a message that comes before this end is registered is no event here */
    send_early(FLOOD, 0);
    settle();
    while (proc_rank == 0 && n_flood + n_dropped < FLOOD)
        settle(); /* a progress thread takes messages while this one looks */
    if (proc_rank == 0) {
        check(n_flood > 0 && n_flood + n_dropped >= FLOOD);
        check_eq(n_flood + n_dropped > FLOOD + 100, 0); /* and few others */
    }
    MPI_T_event_handle_free(r, NULL, NULL);
}

/* Runs only with a credit of some KiB. */
static void credit(void)
{
    unsigned long long before = read_counter("without_credit");
    MPI_T_event_registration r = add("hawser_without_credit", MPI_T_CB_REQUIRE_NONE, on_flood, &n_no_credit);
    static char buf[100][1000];
    MPI_Request reqs[100];
    for (int i = 0; i < 100 && proc_rank == 1; i++)
        MPI_Isend(buf[i], 1000, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &reqs[i]);
    MPI_Sendrecv(NULL, 0, MPI_CHAR, 1 - proc_rank, END, NULL, 0, MPI_CHAR, 1 - proc_rank, END, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 100 && proc_rank == 0; i++)
        MPI_Recv(buf[i], 1000, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (proc_rank == 1)
        MPI_Waitall(100, reqs, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    settle();
    if (proc_rank == 1) {
        check(n_no_credit > 0);
        check(n_no_credit <= (int)(read_counter("without_credit") - before));
    }
    MPI_T_event_handle_free(r, NULL, NULL);
}

int main(int argc, char **argv)
{
    int provided;
    check_eq(MPI_T_event_get_num(&provided), MPI_T_ERR_NOT_INITIALIZED);
    MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided);
    list_all();
    list_sources();
    hints();
    MPI_T_event_registration r = add("hawser_lane_opened", MPI_T_CB_REQUIRE_MPI_RESTRICTED, on_opened, &n_opened);
    proc_begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    settle();
    check(n_opened >= 1);
    if (argc > 1) {
        credit();
    } else {
        unexpected();
        MPI_Barrier(MPI_COMM_WORLD);
        unheard();
        MPI_Barrier(MPI_COMM_WORLD);
        flood();
    }
    check_eq(MPI_T_event_handle_free(r, NULL, NULL), MPI_SUCCESS);
    check_eq(MPI_T_event_handle_free(NULL, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
    MPI_T_finalize();
    return proc_end();
}
