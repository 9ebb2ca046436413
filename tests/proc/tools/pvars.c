/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_T performance variables: counters of the process run always; arrays bound to a communicator run from start to
 * stop, in the order of its ranks; each handle has a zero of its own.
 */
#include "tool.h"

enum { LANES = 32 };

static void list_all(void)
{
    int n, cls, index, bind, readonly, continuous, atomic;
    char name[64], desc[256];
    MPI_Datatype type;
    MPI_T_enum e;
    MPI_T_pvar_get_num(&n);
    check(n > 20);
    for (int i = 0; i < n; i++) {
        int name_len = sizeof name, desc_len = sizeof desc;
        check_eq(MPI_T_pvar_get_info(i, name, &name_len, NULL, &cls, &type, &e, desc, &desc_len, &bind, &readonly,
                                     &continuous, &atomic),
                 0);
        check(desc_len > 1);
        check_eq(MPI_T_pvar_get_index(name, cls, &index), 0);
        check_eq(index, i);
        check_eq(readonly, cls != MPI_T_PVAR_CLASS_COUNTER);
        check_eq(bind, strncmp(name, "peer_", 5) && strncmp(name, "lane_", 5) && strncmp(name, "comm_", 5)
                           ? MPI_T_BIND_NO_OBJECT
                           : MPI_T_BIND_MPI_COMM);
        check_eq(cls == MPI_T_PVAR_CLASS_STATE, e != MPI_T_ENUM_NULL);
    }
    check_eq(MPI_T_pvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
             MPI_T_ERR_INVALID_INDEX);
    check_eq(MPI_T_pvar_get_index("bytes_out", MPI_T_PVAR_CLASS_LEVEL, &index), MPI_T_ERR_INVALID_NAME);
}

/* n messages of 1000 bytes to the next rank of the communicator, as many from the one before. */
static void send_some(MPI_Comm comm, int n)
{
    char out[1000] = {0}, in[1000];
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < n; i++)
        MPI_Sendrecv(out, 1000, MPI_CHAR, (rank + 1) % size, 0, in, 1000, MPI_CHAR, (rank + size - 1) % size, 0, comm,
                     MPI_STATUS_IGNORE);
}

static void of_process(void)
{
    int count;
    unsigned long long before, after = 0, zero = 5;
    MPI_T_pvar_session s, other;
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_session_create(&other);
    MPI_T_pvar_handle h = get_pvar(s, "messages_out", MPI_T_PVAR_CLASS_COUNTER, NULL, &count);
    MPI_T_pvar_handle second = get_pvar(other, "messages_out", MPI_T_PVAR_CLASS_COUNTER, NULL, &count);
    MPI_T_pvar_handle level = get_pvar(s, "unexpected_queue", MPI_T_PVAR_CLASS_LEVEL, NULL, &count);
    check_eq(count, 1);
    check_eq(MPI_T_pvar_start(s, h), MPI_T_ERR_PVAR_NO_STARTSTOP);
    check_eq(MPI_T_pvar_stop(s, h), MPI_T_ERR_PVAR_NO_STARTSTOP);
    check_eq(MPI_T_pvar_read(s, h, &before), MPI_SUCCESS);
    send_some(MPI_COMM_WORLD, 3);
    check_eq(MPI_T_pvar_readreset(s, h, &after), MPI_SUCCESS);
    check_eq(after, before + 3);
    send_some(MPI_COMM_WORLD, 2);
    MPI_T_pvar_read(s, h, &after);
    check_eq(after, 2);
    MPI_T_pvar_read(other, second, &after); /* another's reset does not concern it */
    check_eq(after, before + 5);
    check_eq(MPI_T_pvar_write(s, h, &zero), MPI_SUCCESS);
    MPI_T_pvar_read(s, h, &after);
    check_eq(after, 5);
    check_eq(MPI_T_pvar_reset(s, level), MPI_T_ERR_PVAR_NO_WRITE);
    check_eq(MPI_T_pvar_write(s, level, &zero), MPI_T_ERR_PVAR_NO_WRITE);
    check_eq(MPI_T_pvar_readreset(s, level, &zero), MPI_T_ERR_PVAR_NO_ATOMIC);
    check_eq(MPI_T_pvar_reset(s, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    MPI_T_pvar_read(s, h, &after);
    check_eq(after, 0);
    check_eq(MPI_T_pvar_read(other, h, &after), MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_handle_free(s, &h);
    check(h == MPI_T_PVAR_HANDLE_NULL);
    check_eq(MPI_T_pvar_read(s, h, &after), MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_session_free(&other);
    check(other == MPI_T_PVAR_SESSION_NULL);
    check_eq(MPI_T_pvar_session_free(&other), MPI_T_ERR_INVALID_SESSION);
    MPI_T_pvar_session_free(&s);
}

/* Ranks in reverse order, so that the array can't be in the world's. */
static void of_comm(void)
{
    int count, rank, next;
    unsigned long long messages[3], bytes[3], lanes[3 * LANES], sum = 0;
    MPI_Comm comm, freed;
    MPI_T_pvar_session s;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -proc_rank, &comm);
    MPI_Comm_rank(comm, &rank);
    next = (rank + 1) % proc_size;
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_handle m = get_pvar(s, "peer_messages_out", MPI_T_PVAR_CLASS_COUNTER, &comm, &count);
    check_eq(count, proc_size);
    MPI_T_pvar_handle b = get_pvar(s, "peer_bytes_out", MPI_T_PVAR_CLASS_COUNTER, &comm, &count);
    MPI_T_pvar_handle l = get_pvar(s, "lane_bytes_out", MPI_T_PVAR_CLASS_COUNTER, &comm, &count);
    check_eq(count, LANES * proc_size);
    MPI_Comm_dup(comm, &freed);
    MPI_Comm_free(&comm); /* the handles have what they need */
    send_some(freed, 1);
    check_eq(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    send_some(freed, 4);
    check_eq(MPI_T_pvar_stop(s, m), MPI_SUCCESS);
    send_some(freed, 1);
    check_eq(MPI_T_pvar_read(s, m, messages), MPI_SUCCESS);
    for (int i = 0; i < proc_size; i++)
        check_eq(messages[i], i == next ? 4 : 0);
    check_eq(MPI_T_pvar_start(s, m), MPI_SUCCESS);
    send_some(freed, 1);
    check_eq(MPI_T_pvar_read(s, m, messages), MPI_SUCCESS);
    check_eq(messages[next], 5);
    check_eq(MPI_T_pvar_read(s, b, bytes), MPI_SUCCESS);
    check(bytes[next] >= 6000 && bytes[next] < 7000);
    check_eq(MPI_T_pvar_read(s, l, lanes), MPI_SUCCESS);
    for (int i = 0; i < LANES; i++)
        sum += lanes[next * LANES + i];
    check(sum >= bytes[next]); /* a progress thread may write in between */
    MPI_T_pvar_session_free(&s);
    MPI_Comm_free(&freed);
}

static void states(void)
{
    int count, state[3], num, value, len = 64;
    char name[64];
    unsigned long long waiting[3];
    MPI_Comm comm = MPI_COMM_WORLD, none = MPI_COMM_NULL;
    MPI_T_pvar_session s;
    MPI_T_enum e;
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_handle h = get_pvar(s, "peer_state", MPI_T_PVAR_CLASS_STATE, &comm, &count);
    check_eq(MPI_T_pvar_read(s, h, state), MPI_SUCCESS);
    int index;
    MPI_T_pvar_get_index("peer_state", MPI_T_PVAR_CLASS_STATE, &index);
    check_eq(MPI_T_pvar_handle_alloc(s, index, &none, &h, &count), MPI_T_ERR_INVALID_HANDLE);
    check_eq(MPI_T_pvar_handle_alloc(s, index, NULL, &h, &count), MPI_T_ERR_INVALID);
    MPI_T_pvar_get_info(index, NULL, NULL, NULL, NULL, NULL, &e, NULL, NULL, NULL, NULL, NULL, NULL);
    check_eq(MPI_T_enum_get_info(e, &num, NULL, NULL), MPI_SUCCESS);
    check_eq(MPI_T_enum_get_item(e, num, &value, name, &len), MPI_T_ERR_INVALID_ITEM);
    for (int i = 0; i < proc_size; i++) {
        len = sizeof name;
        check_eq(MPI_T_enum_get_item(e, state[i], &value, name, &len), MPI_SUCCESS);
        check_eq(value, state[i]);
        check(strcmp(name, i == proc_rank ? "unused" : "connected") == 0);
    }
    /* A message of rank 1 waits here until it is received. */
    h = get_pvar(s, "peer_unexpected", MPI_T_PVAR_CLASS_LEVEL, &comm, &count);
    if (proc_rank == 1)
        MPI_Send(NULL, 0, MPI_INT, 0, 77, MPI_COMM_WORLD);
    if (proc_rank == 0) {
        MPI_Probe(1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_T_pvar_read(s, h, waiting);
        check_eq(waiting[1], 1);
        MPI_Recv(NULL, 0, MPI_INT, 1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_T_pvar_read(s, h, waiting);
        check_eq(waiting[1], 0);
    }
    MPI_T_pvar_session_free(&s);
}

int main(int argc, char **argv)
{
    int provided, count;
    unsigned long long value;
    MPI_T_pvar_session s;
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    check_eq(provided, MPI_THREAD_MULTIPLE);
    list_all();
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_handle h = get_pvar(s, "bytes_out", MPI_T_PVAR_CLASS_COUNTER, NULL, &count);
    check_eq(MPI_T_pvar_read(s, h, &value), MPI_T_ERR_NOT_ACCESSIBLE);
    proc_begin(&argc, &argv);
    check_eq(MPI_T_pvar_read(s, h, &value), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    send_some(MPI_COMM_WORLD, 1);
    of_process();
    of_comm();
    MPI_Barrier(MPI_COMM_WORLD);
    states();
    MPI_Finalize();
    check_eq(MPI_T_pvar_read(s, h, &value), MPI_T_ERR_NOT_ACCESSIBLE);
    MPI_T_pvar_session_free(&s);
    MPI_T_finalize();
    return proc_failures != 0;
}
