/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_T control variables: every tuning parameter is one; what MPI_Init reads can be written before it only; what can
 * change while the program runs does so at once, as the counters show.
 */
#include "tool.h"

static int is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name + strlen("HAWSER_"), *list) == 0)
            return 1;
    return 0;
}

/* What still counts once MPI runs. */
static const char *const live[] = {"TCPMAXFRAG", "TCPEAGERSEND", "TCPCONRETRIES", "TCPCONNECT",
                                   "TCPHELLO",   "TCPSILENT",    "TCPDEADLINE",   "SPIN",
                                   "TRACE",      "CHECKS",       "COLL",          NULL};

/* What only mpirun reads. */
static const char *const launchers[] = {"RSH", "BIND_TO", "CARDSPUSH", "WARNWAIT", NULL};

enum phase { BEFORE, RUNNING, AFTER };

static int expected_scope(const char *name, enum phase phase)
{
    if (is_one_of(name, launchers) || phase == AFTER || (phase == RUNNING && !is_one_of(name, live)))
        return MPI_T_SCOPE_READONLY;
    return strcmp(name, "HAWSER_COLL") == 0 ? MPI_T_SCOPE_ALL_EQ : MPI_T_SCOPE_LOCAL;
}

static void list_all(enum phase phase)
{
    int n, index, verbosity, bind, scope, n_enums = 0;
    char name[64], desc[256];
    MPI_Datatype type;
    MPI_T_enum e;
    MPI_T_cvar_get_num(&n);
    check(n > 10);
    for (int i = 0; i < n; i++) {
        int name_len = sizeof name, desc_len = sizeof desc;
        check_eq(MPI_T_cvar_get_info(i, name, &name_len, &verbosity, &type, &e, desc, &desc_len, &bind, &scope), 0);
        check_eq(name_len, (int)strlen(name) + 1);
        check(strncmp(name, "HAWSER_", 7) == 0 && desc_len > 4);
        check_eq(MPI_T_cvar_get_index(name, &index), 0);
        check_eq(index, i);
        check_eq(scope, expected_scope(name, phase));
        n_enums += e != MPI_T_ENUM_NULL;
    }
    check(n_enums > 0);
    int len = 0;
    MPI_T_cvar_get_info(0, NULL, &len, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    check(len > 7);
    check_eq(MPI_T_cvar_get_index("no such variable", &index), MPI_T_ERR_INVALID_NAME);
    check_eq(MPI_T_cvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
}

static void before_init(void)
{
    unsigned long long value = 0;
    int on = 123, off = 0;
    char trace[64] = "peer,no such folder", coll[512] = "allreduce=no such algorithm";
    check_eq(set_cvar("HAWSER_TRACE", trace), MPI_T_ERR_INVALID); /* MPI_Init would refuse them */
    check_eq(set_cvar("HAWSER_COLL", coll), MPI_T_ERR_INVALID);
    check_eq(set_cvar("HAWSER_CHECKS", &off), MPI_SUCCESS);
    check(strcmp(getenv("HAWSER_CHECKS"), "0") == 0);
    check_eq(set_cvar("HAWSER_CHECKS", &on), MPI_SUCCESS);
    check(strcmp(getenv("HAWSER_CHECKS"), "1") == 0);
    check_eq(set_number("HAWSER_TCPEAGERSEND", 12345), MPI_SUCCESS);
    check_eq(set_number("HAWSER_CREDIT", 100000), MPI_SUCCESS);
    check_eq(set_number("HAWSER_CREDIT", ~0ull), MPI_T_ERR_INVALID);
    get_cvar("HAWSER_CREDIT", &value);
    check_eq(value, 100000);
}

/* MPI_Init took them; what it has used up can't change any more. */
static void after_init(void)
{
    unsigned long long value = 0;
    char text[600] = "ssh";
    get_cvar("HAWSER_TCPEAGERSEND", &value);
    check_eq(value, 12345);
    get_cvar("HAWSER_CREDIT", &value);
    check_eq(value, 100000);
    check_eq(set_number("HAWSER_CREDIT", 200000), MPI_T_ERR_CVAR_SET_NEVER);
    get_cvar("HAWSER_CREDIT", &value);
    check_eq(value, 100000);
    check_eq(set_cvar("HAWSER_RSH", text), MPI_T_ERR_CVAR_SET_NEVER);
    check_eq(set_number("HAWSER_SPIN", 7), MPI_SUCCESS);
    get_cvar("HAWSER_SPIN", &value);
    check_eq(value, 7);
}

static void send_ring(int bytes)
{
    static char out[2000], in[2000];
    int to = (proc_rank + 1) % proc_size, from = (proc_rank + proc_size - 1) % proc_size;
    MPI_Sendrecv(out, bytes, MPI_CHAR, to, 0, in, bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The eager size decides how the next message travels. */
static void eager(void)
{
    send_ring(1); /* the connections */
    unsigned long long rendezvous = read_counter("rendezvous_sent"), short_ones = read_counter("eager_sent");
    send_ring(2000);
    check_eq(read_counter("rendezvous_sent"), rendezvous);
    check_eq(read_counter("eager_sent"), short_ones + 1);
    check_eq(set_number("HAWSER_TCPEAGERSEND", 1000), MPI_SUCCESS);
    send_ring(2000);
    check_eq(read_counter("rendezvous_sent"), rendezvous + 1);
    check_eq(read_counter("eager_sent"), short_ones + 1);
    check_eq(set_number("HAWSER_TCPEAGERSEND", ~0ull), MPI_T_ERR_INVALID);
}

static unsigned long long messages_of_allreduce(void)
{
    double in[64] = {1}, out[64];
    MPI_Allreduce(in, out, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    unsigned long long before = read_counter("messages_out");
    MPI_Allreduce(in, out, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(out[0] == proc_size);
    return read_counter("messages_out") - before;
}

/* By recursive doubling a rank of four sends 2 messages, round the ring 6. */
static void collectives(void)
{
    char text[600] = "allreduce=doubling";
    check_eq(set_cvar("HAWSER_COLL", text), MPI_SUCCESS);
    check_eq(messages_of_allreduce(), 2);
    strcpy(text, "allreduce=ring");
    check_eq(set_cvar("HAWSER_COLL", text), MPI_SUCCESS);
    check_eq(messages_of_allreduce(), 6);
    strcpy(text, "allreduce=no such algorithm");
    check_eq(set_cvar("HAWSER_COLL", text), MPI_T_ERR_INVALID);
    check_eq(messages_of_allreduce(), 6);
    get_cvar("HAWSER_COLL", text);
    check(strcmp(text, "allreduce=ring") == 0);
}

/* A folder that does not exist traces nothing; the text is kept. */
static void trace(void)
{
    char text[64] = "GARBAGE", old[64], got[64];
    get_cvar("HAWSER_TRACE", old);
    check_eq(set_cvar("HAWSER_TRACE", text), MPI_SUCCESS);
    get_cvar("HAWSER_TRACE", got);
    check(strcmp(got, "GARBAGE") == 0);
    memset(text, 'x', sizeof text); /* without an end */
    check_eq(set_cvar("HAWSER_TRACE", text), MPI_SUCCESS);
    get_cvar("HAWSER_TRACE", got);
    check_eq(strlen(got), sizeof got - 1);
    check_eq(set_cvar("HAWSER_TRACE", old), MPI_SUCCESS);
}

static void checks(void)
{
    int on = -7, off = 0, cls, got = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD), &cls);
    check_eq(cls, MPI_ERR_TAG);
    check_eq(set_cvar("HAWSER_CHECKS", &off), MPI_SUCCESS);
    check_eq(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD), MPI_SUCCESS);
    check_eq(set_cvar("HAWSER_CHECKS", &on), MPI_SUCCESS);
    get_cvar("HAWSER_CHECKS", &got);
    check_eq(got, -7);
    MPI_Error_class(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD), &cls);
    check_eq(cls, MPI_ERR_TAG);
}

static void handles(void)
{
    int index, count;
    unsigned long long value;
    MPI_T_cvar_handle h, none = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_cvar_get_index("HAWSER_SPIN", &index);
    check_eq(MPI_T_cvar_handle_alloc(-1, NULL, &h, &count), MPI_T_ERR_INVALID_INDEX);
    check_eq(MPI_T_cvar_handle_alloc(index, NULL, &h, &count), MPI_SUCCESS);
    check_eq(count, 1);
    check_eq(MPI_T_cvar_read(h, NULL), MPI_T_ERR_INVALID);
    check_eq(MPI_T_cvar_read(none, &value), MPI_T_ERR_INVALID_HANDLE);
    check_eq(MPI_T_cvar_write(none, &value), MPI_T_ERR_INVALID_HANDLE);
    check_eq(MPI_T_cvar_handle_free(&h), MPI_SUCCESS);
    check(h == MPI_T_CVAR_HANDLE_NULL);
    check_eq(MPI_T_cvar_handle_free(&h), MPI_T_ERR_INVALID_HANDLE);
}

int main(int argc, char **argv)
{
    int provided, n;
    check_eq(MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    check_eq(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    check_eq(provided, MPI_THREAD_SINGLE);
    list_all(BEFORE);
    before_init();
    proc_begin(&argc, &argv);
    check_eq(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
    check_eq(provided, MPI_THREAD_SERIALIZED); /* the engine runs without a lock */
    list_all(RUNNING);
    after_init();
    eager();
    collectives();
    trace();
    checks();
    handles();
    MPI_Finalize();
    list_all(AFTER);
    check_eq(set_number("HAWSER_SPIN", 8), MPI_T_ERR_CVAR_SET_NEVER);
    unsigned long long spin = 0;
    get_cvar("HAWSER_SPIN", &spin);
    check_eq(spin, 7);
    MPI_T_finalize();
    MPI_T_finalize();
    check_eq(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    check_eq(MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    return proc_failures != 0;
}
