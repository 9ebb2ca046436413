/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_test: the client against a launcher played by the test: a thread that answers a script of lines, and what the
 * environment alone decides.
 */
#include "launch/pmi.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host.h"
#include "base/list.h"
#include "launch/pmi_env.h"

static struct hws_pmi *p;
static char err[512];
static int ends[2];

/* One exchange: what the client must send, and the answer ("" for none, NULL: close the connection). */
struct exchange {
    const char *want, *answer;
};

struct script {
    const struct exchange *steps;
    size_t n;
    pthread_t thread;
    char wrong[256];
};

static void *play(void *arg)
{
    struct script *s = arg;
    FILE *f = fdopen(dup(ends[0]), "r");
    char *line = NULL;
    size_t cap = 0;
    for (size_t i = 0; i < s->n && !s->wrong[0]; i++) {
        if (getline(&line, &cap, f) < 0 || strcmp(line, s->steps[i].want) != 0)
            snprintf(s->wrong, sizeof s->wrong, "step %zu: '%.100s'", i, line ? line : "");
        else if (!s->steps[i].answer)
            shutdown(ends[0], SHUT_RDWR);
        else if (write(ends[0], s->steps[i].answer, strlen(s->steps[i].answer)) < 0)
            snprintf(s->wrong, sizeof s->wrong, "step %zu: cannot answer", i);
    }
    free(line);
    fclose(f);
    return NULL;
}

static void begin(struct script *s, const struct exchange *steps, size_t n)
{
    *s = (struct script){.steps = steps, .n = n};
    cr_assert_eq(pthread_create(&s->thread, NULL, play, s), 0);
}

static void end(struct script *s)
{
    pthread_join(s->thread, NULL);
    cr_assert_str_eq(s->wrong, "");
}

static void clear_env(void)
{
    static const char *const names[] = {"PMI_FD",
                                        "PMI_RANK",
                                        "PMI_SIZE",
                                        "MPI_LOCALNRANKS",
                                        "HAWSER_PARENT_RANK",
                                        "HAWSER_JOB",
                                        "HAWSER_SINGLETON_OK",
                                        "SLURM_STEP_NUM_TASKS",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "PBS_TASKNUM"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(names); i++)
        unsetenv(names[i]);
}

static void be_rank(const char *rank, const char *size, const char *n_local)
{
    char fd[16];
    clear_env();
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    snprintf(fd, sizeof fd, "%d", ends[1]);
    setenv("PMI_FD", fd, 1);
    setenv("PMI_RANK", rank, 1);
    setenv("PMI_SIZE", size, 1);
    if (n_local)
        setenv("MPI_LOCALNRANKS", n_local, 1);
}

#define INIT                                                                                                           \
    {"cmd=init pmi_version=1 pmi_subversion=1\n", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 hawser=1 " \
                                                  "appnum=2 universe_size=9 vallen_max=8 kvsname=k\n"},                \
    {                                                                                                                  \
        "cmd=get kvsname=k key=PMI_process_mapping\n", "cmd=get_result rc=-1 msg=key_not_found\n"                      \
    }

/* A rank of Hawser's mpirun with values of at most 7 characters. */
static void open_hawser(void)
{
    static const struct exchange steps[] = {INIT};
    struct script s;
    be_rank("3", "4", "2");
    begin(&s, steps, HWS_ARRAY_LEN(steps));
    cr_assert_eq(hws_pmi_open(&p, 0, err, sizeof err), HWS_OK, "%s", err);
    end(&s);
}

TestSuite(pmi, .init = clear_env);

Test(pmi, hawser_says_all_at_once)
{
    open_hawser();
    cr_expect_eq(hws_pmi_launcher(p), HWS_PMI_HAWSER);
    cr_expect_eq(hws_pmi_rank(p), 3);
    cr_expect_eq(hws_pmi_size(p), 4);
    cr_expect_eq(hws_pmi_n_local(p), 2);
    cr_expect_eq(hws_pmi_appnum(p), 2);
    cr_expect_eq(hws_pmi_universe_size(p), 9);
    cr_expect_null(getenv("PMI_FD"), "children must not take the rank's place");
    hws_pmi_close(p);
}

/* Started by Hawser's mpirun: few round trips. */
Test(pmi, a_brief_launcher_is_asked_three_times)
{
    static const struct exchange steps[] = {
        {"cmd=init pmi_version=1 pmi_subversion=1 hawser=1\n",
         "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 hawser=1 appnum=0 universe_size=9 vallen_max=64 "
         "kvsname=k "
         "mapping=(vector,(0,2,2)) brief=1 secret=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"},
        {"cmd=put kvsname=k key=a value=1\n", ""},
        {"cmd=barrier_in key=b\n", "cmd=barrier_out rc=0 value=2\n"},
        {"cmd=barrier_in key=c\n", "cmd=barrier_out rc=0\n"},
        {"cmd=finalize\n", ""},
    };
    struct script s;
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    char value[8];
    int *locals = NULL;
    be_rank("3", "4", "2");
    setenv("HAWSER_JOB", "k/0/", 1);
    begin(&s, steps, HWS_ARRAY_LEN(steps));
    cr_assert_eq(hws_pmi_open(&p, 0, err, sizeof err), HWS_OK, "%s", err);
    cr_expect_eq(hws_pmi_secret(p, secret), HWS_OK);
    cr_expect(secret[0] == 0 && secret[31] == 31);
    cr_expect_eq(hws_pmi_locals(p, &locals), 2);
    cr_expect(locals[0] == 2 && locals[1] == 3);
    cr_expect_eq(hws_pmi_put(p, "a", "1"), HWS_OK);
    cr_expect_eq(hws_pmi_barrier_get(p, "b", value, sizeof value), HWS_OK);
    cr_expect_str_eq(value, "2");
    cr_expect_eq(hws_pmi_barrier_get(p, "c", value, sizeof value), HWS_OK);
    cr_expect_str_eq(value, "", "a key that nobody has put");
    cr_expect_eq(hws_pmi_finalize(p), HWS_OK);
    end(&s);
    free(locals);
    hws_pmi_close(p);
}

/* A launcher of others, until it is asked for its map of hosts. */
#define FOREIGN(vallen_max)                                                                                            \
    {"cmd=init pmi_version=1 pmi_subversion=1\n", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},       \
        {"cmd=get_maxes\n", "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=" vallen_max "\n"},                    \
        {"cmd=get_appnum\n", "cmd=appnum appnum=0\n"}, {"cmd=get_universe_size\n", "cmd=universe_size size=12\n"},     \
    {                                                                                                                  \
        "cmd=get_my_kvsname\n", "cmd=my_kvsname kvsname=kvs_1_0\n"                                                     \
    }
#define ASK_MAPPING "cmd=get kvsname=kvs_1_0 key=PMI_process_mapping\n"

static void open_foreign(const char *rank, const char *size, const struct exchange *steps, size_t n)
{
    struct script s;
    be_rank(rank, size, NULL);
    begin(&s, steps, n);
    cr_assert_eq(hws_pmi_open(&p, 0, err, sizeof err), HWS_OK, "%s", err);
    end(&s);
}

Test(pmi, a_foreign_launcher_is_asked_step_by_step)
{
    static const struct exchange steps[] = {
        FOREIGN("1024"),
        {ASK_MAPPING, "cmd=get_result rc=0 msg=success value=(vector,(0,2,2))\n"},
    };
    open_foreign("3", "4", steps, HWS_ARRAY_LEN(steps));
    cr_expect_eq(hws_pmi_launcher(p), HWS_PMI_FOREIGN);
    cr_expect_eq(hws_pmi_universe_size(p), 12);
    cr_expect_eq(hws_pmi_n_local(p), 2);
    hws_pmi_close(p);
}

Test(pmi, a_mapping_of_any_length_is_taken_whole)
{
    enum { ROUNDS = 1000, SIZE = 3 * ROUNDS };
    static int hosts[SIZE];
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    fputs("cmd=get_result rc=0 msg=success value=(vector", f);
    for (int i = 0; i < ROUNDS; i++)
        fputs(",(0,1,1),(1,1,2)", f);
    fputs(")\n", f);
    fclose(f);
    struct exchange steps[] = {FOREIGN("1024"), {ASK_MAPPING, text}};
    int *locals;
    open_foreign("2999", "3000", steps, HWS_ARRAY_LEN(steps));
    cr_expect_eq(hws_pmi_n_local(p), 2 * ROUNDS);
    cr_assert(hws_pmi_hosts(p, hosts));
    for (int i = 0; i < SIZE; i++)
        cr_assert_eq(hosts[i], i % 3 > 0, "rank %d", i);
    cr_assert_eq(hws_pmi_locals(p, &locals), 2 * ROUNDS);
    cr_expect(locals[0] == 1 && locals[2 * ROUNDS - 1] == SIZE - 1);
    free(locals);
    free(text);
    hws_pmi_close(p);
}

#define PUT_OK "cmd=put_result rc=0 msg=success\n"

/* The line with which a rank says which host it is on. */
static const char *put_host(int rank)
{
    static char line[128];
    snprintf(line, sizeof line, "cmd=put kvsname=kvs_1_0 key=hawser-host-%d value=%016" PRIx64 "\n", rank,
             hws_host_id());
    return line;
}

/* The launcher knows no map, or has cut it: rank 0 makes one from the ids of all hosts, the others fetch it. */
Test(pmi, rank_0_makes_the_map_that_the_launcher_does_not_give)
{
    char got[128];
    snprintf(got, sizeof got, "cmd=get_result rc=0 value=%016" PRIx64 "\n", hws_host_id());
    const struct exchange steps[] = {
        FOREIGN("1024"),
        {ASK_MAPPING, "cmd=get_result rc=-1 msg=key_not_found\n"},
        {put_host(0), PUT_OK},
        {"cmd=barrier_in\n", "cmd=barrier_out rc=0\n"},
        {"cmd=get kvsname=kvs_1_0 key=hawser-host-0\n", got},
        {"cmd=get kvsname=kvs_1_0 key=hawser-host-1\n", "cmd=get_result rc=0 value=0123456789abcdef\n"},
        {"cmd=get kvsname=kvs_1_0 key=hawser-host-2\n", got},
        {"cmd=get kvsname=kvs_1_0 key=hawser-host-3\n", got},
        {"cmd=put kvsname=kvs_1_0 key=hawser-mapping value=(vector,(0,2,1),(0,1,2))\n", PUT_OK},
        {"cmd=barrier_in\n", "cmd=barrier_out rc=0\n"},
        {"cmd=get kvsname=kvs_1_0 key=hawser-mapping\n", NULL},
    };
    struct script s;
    be_rank("0", "4", NULL);
    begin(&s, steps, HWS_ARRAY_LEN(steps));
    cr_expect_eq(hws_pmi_open(&p, 0, err, sizeof err), HWS_EPMI, "the launcher has gone before the secret was put");
    end(&s);
}

Test(pmi, a_mapping_that_was_cut_counts_as_none)
{
    const struct exchange steps[] = {
        FOREIGN("64"),
        {ASK_MAPPING, "cmd=get_result rc=0 value=(vector,(0,1,1),(1,1,2)\n"},
        {put_host(3), PUT_OK},
        {"cmd=barrier_in\n", "cmd=barrier_out rc=0\n"},
        {"cmd=barrier_in\n", "cmd=barrier_out rc=0\n"},
        {"cmd=get kvsname=kvs_1_0 key=hawser-mapping\n", "cmd=get_result rc=0 value=#hawser-parts:2\n"},
        {"cmd=get kvsname=kvs_1_0 key=hawser-mapping.0\n", "cmd=get_result rc=0 value=(vector,(0,1,3),\n"},
        {"cmd=get kvsname=kvs_1_0 key=hawser-mapping.1\n", "cmd=get_result rc=0 value=(1,1,1))\n"},
    };
    int hosts[4];
    open_foreign("3", "4", steps, HWS_ARRAY_LEN(steps));
    cr_assert(hws_pmi_hosts(p, hosts));
    cr_expect(hosts[0] == 0 && hosts[2] == 0 && hosts[3] == 1);
    cr_expect_eq(hws_pmi_n_local(p), 1);
    hws_pmi_close(p);
}

Test(pmi, long_values_are_split_and_joined)
{
    static const struct exchange steps[] = {
        {"cmd=put kvsname=k key=a value=1234567\n", "cmd=put_result rc=0 msg=success\n"},
        {"cmd=put kvsname=k key=b.0 value=1234567\n", "cmd=put_result rc=0 msg=success\n"},
        {"cmd=put kvsname=k key=b.1 value=89\n", "cmd=put_result rc=0 msg=success\n"},
        {"cmd=put kvsname=k key=b value=#hawser-parts:2\n", "cmd=put_result rc=0 msg=success\n"},
        {"cmd=get kvsname=k key=b\n", "cmd=get_result rc=0 msg=success value=#hawser-parts:2\n"},
        {"cmd=get kvsname=k key=b.0\n", "cmd=get_result rc=0 msg=success value=1234567\n"},
        {"cmd=get kvsname=k key=b.1\n", "cmd=get_result rc=0 msg=success value=89\n"},
        {"cmd=get kvsname=k key=a\n", "cmd=get_result rc=0 msg=success value=1234567\n"},
        {"cmd=get kvsname=k key=c\n", "cmd=get_result rc=-1 msg=key_not_found\n"},
    };
    struct script s;
    char value[10];
    open_hawser();
    begin(&s, steps, HWS_ARRAY_LEN(steps));
    cr_expect_eq(hws_pmi_put(p, "a", "1234567"), HWS_OK);
    cr_expect_eq(hws_pmi_put(p, "b", "123456789"), HWS_OK);
    cr_expect_eq(hws_pmi_get(p, "b", value, sizeof value), HWS_OK);
    cr_expect_str_eq(value, "123456789");
    cr_expect_eq(hws_pmi_get(p, "a", value, 7), HWS_EINVAL, "no room");
    cr_expect_eq(hws_pmi_get(p, "c", value, sizeof value), HWS_EINVAL);
    cr_expect_str_eq(hws_pmi_reason(p), "the launcher knows no key c");
    end(&s);
    cr_expect_eq(hws_pmi_put(p, "two words", "v"), HWS_EINVAL);
    cr_expect_eq(hws_pmi_put(p, "key", "two words"), HWS_EINVAL);
    hws_pmi_close(p);
}

/* Slurm says that values may have 1023 bytes and reads lines of as many. */
Test(pmi, lines_for_other_launchers_are_no_longer_than_they_read)
{
    static const struct exchange steps[] = {
        FOREIGN("1024"),
        {ASK_MAPPING, "cmd=get_result rc=0 msg=success value=(vector,(0,2,2))\n"},
    };
    char value[1200], first[1100], second[1100];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    int head = snprintf(first, sizeof first, "cmd=put kvsname=kvs_1_0 key=hawser-card-3.0 value=");
    int room = 1023 - head - 3 - 1; /* the number may have four digits; the end of the line */
    snprintf(first + head, sizeof first - (size_t)head, "%.*s\n", room, value);
    snprintf(second, sizeof second, "cmd=put kvsname=kvs_1_0 key=hawser-card-3.1 value=%s\n", value + room);
    const struct exchange puts[] = {
        {first, "cmd=put_result rc=0 msg=success\n"},
        {second, "cmd=put_result rc=0 msg=success\n"},
        {"cmd=put kvsname=kvs_1_0 key=hawser-card-3 value=#hawser-parts:2\n", "cmd=put_result rc=0 msg=success\n"},
    };
    struct script s;
    open_foreign("3", "4", steps, HWS_ARRAY_LEN(steps));
    cr_expect_leq(strlen(first), 1023);
    begin(&s, puts, HWS_ARRAY_LEN(puts));
    cr_expect_eq(hws_pmi_put(p, "hawser-card-3", value), HWS_OK);
    end(&s);
    hws_pmi_close(p);
}

Test(pmi, a_barrier_may_end_while_a_value_is_fetched)
{
    static const struct exchange steps[] = {
        {"cmd=barrier_in\n", ""},
        {"cmd=get kvsname=k key=a\n", "cmd=barrier_out rc=0\ncmd=get_result rc=0 value=v\n"},
        {"cmd=barrier_in\n", "cmd=barrier_"},
        {"cmd=get kvsname=k key=a\n", "out rc=0\ncmd=get_result rc=0 value=v\n"},
    };
    struct script s;
    char value[8];
    open_hawser();
    begin(&s, steps, HWS_ARRAY_LEN(steps));
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(hws_pmi_barrier_begin(p), HWS_OK);
        cr_expect_not(hws_pmi_barrier_is_done(p));
        cr_expect_eq(hws_pmi_on_readable(p), HWS_OK);
        cr_expect_eq(hws_pmi_get(p, "a", value, sizeof value), HWS_OK, "%s", hws_pmi_reason(p));
        cr_expect(hws_pmi_barrier_is_done(p));
    }
    end(&s);
    hws_pmi_close(p);
}

/* Rank 1 of four on two hosts under Slurm's plugin, until it waits in a barrier. */
#define SLURM                                                                                                          \
    {"cmd=init pmi_version=1 pmi_subversion=1\n", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},       \
        {"cmd=get_maxes\n", "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n"},                              \
        {"cmd=get_appnum\n", "cmd=appnum appnum=0\n"}, {"cmd=get_universe_size\n", "cmd=universe_size size=4\n"},      \
        {"cmd=get_my_kvsname\n", "cmd=my_kvsname kvsname=7.0\n"},                                                      \
        {"cmd=get kvsname=7.0 key=PMI_process_mapping\n", "cmd=get_result rc=0 value=(vector,(0,2,2))\n"},             \
    {                                                                                                                  \
        "cmd=barrier_in\n", ""                                                                                         \
    }
#define HERE(rank) "service=hawser-7.0-1-" #rank
#define BOUND_MS   1500

static int wait_under_slurm(const struct exchange *steps, size_t n)
{
    struct script s;
    be_rank("1", "4", NULL);
    setenv("SLURM_JOB_ID", "7", 1);
    setenv("SLURM_STEP_ID", "0", 1);
    begin(&s, steps, n);
    cr_assert_eq(hws_pmi_open(&p, BOUND_MS, err, sizeof err), HWS_OK, "%s", err);
    int rc = hws_pmi_barrier(p);
    end(&s);
    unsetenv("SLURM_JOB_ID");
    unsetenv("SLURM_STEP_ID");
    return rc;
}

Test(pmi, a_wait_for_ranks_that_do_not_come_ends_with_their_names)
{
    static const struct exchange steps[] = {
        SLURM,
        {"cmd=publish_name " HERE(1) " port=1\n", "cmd=publish_result info=ok\n"},
        {"cmd=lookup_name " HERE(0) "\n", "cmd=lookup_result info=fail\n"}, /* so it is rank 1 that speaks */
        {"cmd=lookup_name " HERE(0) "\n", "cmd=lookup_result info=fail\n"},
        {"cmd=lookup_name " HERE(2) "\n", "cmd=lookup_result info=fail\n"},
        {"cmd=lookup_name " HERE(3) "\n", "cmd=lookup_result info=ok port=1\n"},
    };
    cr_expect_eq(wait_under_slurm(steps, HWS_ARRAY_LEN(steps)), HWS_EPMI);
    cr_expect_str_eq(hws_pmi_reason(p),
                     "rank 1 has waited for 1.5 s in MPI_Init for ranks 0, 2, which may have ended before it; "
                     "HAWSER_INITWAIT is that time in ms (0: without end)");
    hws_pmi_close(p);
}

Test(pmi, a_lower_rank_that_waits_too_ends_the_job_and_a_late_one_is_welcome)
{
    static const struct exchange steps[] = {
        SLURM,
        {"cmd=publish_name " HERE(1) " port=1\n", "cmd=publish_result info=ok\n"},
        {"cmd=lookup_name " HERE(0) "\n", "cmd=lookup_result info=ok port=1\ncmd=barrier_out rc=0\n"},
    };
    cr_expect_eq(wait_under_slurm(steps, HWS_ARRAY_LEN(steps)), HWS_OK);
    hws_pmi_close(p);
}

Test(pmi, the_secret_comes_over_the_descriptor)
{
    static const struct exchange steps[] = {
        {"cmd=get kvsname=k key=hawser-secret\n",
         "cmd=get_result rc=0 value=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff\n"}};
    struct script s;
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    open_hawser();
    begin(&s, steps, 1);
    cr_assert_eq(hws_pmi_secret(p, secret), HWS_OK, "%s", hws_pmi_reason(p));
    end(&s);
    for (int i = 0; i < 31; i++)
        cr_expect_eq(secret[i], i);
    cr_expect_eq(secret[31], 0xff);
    hws_pmi_close(p);
}

Test(pmi, a_short_secret_is_refused)
{
    static const struct exchange steps[] = {
        {"cmd=get kvsname=k key=hawser-secret\n", "cmd=get_result rc=0 value=00ff\n"}};
    struct script s;
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    open_hawser();
    begin(&s, steps, 1);
    cr_expect_eq(hws_pmi_secret(p, secret), HWS_EPMI);
    end(&s);
    hws_pmi_close(p);
}

Test(pmi, the_launcher_goes_away)
{
    static const struct exchange steps[] = {{"cmd=get kvsname=k key=a\n", NULL}};
    struct script s;
    char value[8];
    open_hawser();
    begin(&s, steps, 1);
    cr_expect_eq(hws_pmi_get(p, "a", value, sizeof value), HWS_ECLOSED);
    end(&s);
    cr_expect(hws_pmi_is_lost(p));
    cr_expect_str_eq(hws_pmi_reason(p), "the launcher of rank 3 is gone");
    cr_expect_eq(hws_pmi_on_readable(p), HWS_ECLOSED);
    hws_pmi_close(p);
}

Test(pmi, after_finalize_its_end_is_no_loss)
{
    static const struct exchange steps[] = {{"cmd=finalize\n", "cmd=finalize_ack rc=0\n"}};
    struct script s;
    open_hawser();
    begin(&s, steps, 1);
    cr_expect_eq(hws_pmi_finalize(p), HWS_OK);
    end(&s);
    close(ends[0]);
    cr_expect_eq(hws_pmi_on_readable(p), HWS_ECLOSED);
    cr_expect_not(hws_pmi_is_lost(p));
    hws_pmi_close(p);
}

Test(pmi, nonsense_from_the_launcher)
{
    static const struct exchange steps[] = {{"cmd=get kvsname=k key=a\n", "HTTP/1.0 400 Bad Request\n"}};
    struct script s;
    char value[8];
    open_hawser();
    begin(&s, steps, 1);
    cr_expect_eq(hws_pmi_get(p, "a", value, sizeof value), HWS_EPMI);
    end(&s);
    cr_expect_str_eq(hws_pmi_reason(p), "the launcher answered 'HTTP/1.0 400 Bad Request' where get_result was due");
    hws_pmi_close(p);
}

Test(pmi, a_forked_child_cannot_use_it)
{
    open_hawser();
    pid_t pid = fork();
    if (pid == 0)
        _exit(hws_pmi_put(p, "a", "b") == HWS_EPMI && hws_pmi_barrier_begin(p) == HWS_EPMI ? 0 : 1);
    int status = -1;
    waitpid(pid, &status, 0);
    cr_expect_eq(status, 0);
    char c;
    cr_expect_eq(recv(ends[0], &c, 1, MSG_DONTWAIT), -1, "nothing was sent");
    hws_pmi_close(p);
}

Test(pmi, a_singleton_works_alone)
{
    unsigned char one[HWS_PMI_SECRET_BYTES], two[HWS_PMI_SECRET_BYTES];
    struct hws_pmi *q;
    cr_assert_eq(hws_pmi_open(&p, 0, err, sizeof err), HWS_OK, "%s", err);
    cr_assert_eq(hws_pmi_open(&q, 0, err, sizeof err), HWS_OK, "%s", err);
    cr_expect(hws_pmi_is_singleton(p));
    cr_expect_eq(hws_pmi_size(p), 1);
    cr_expect_eq(hws_pmi_fd(p), -1);
    cr_expect_eq(hws_pmi_put(p, "a", "b"), HWS_OK);
    cr_expect_eq(hws_pmi_barrier(p), HWS_OK);
    cr_expect_eq(hws_pmi_secret(p, one), HWS_OK);
    cr_expect_eq(hws_pmi_secret(q, two), HWS_OK);
    cr_expect_neq(memcmp(one, two, sizeof one), 0, "two jobs have two secrets");
    cr_expect_neq(hws_pmi_job_id(p), hws_pmi_job_id(q));
    cr_expect_eq(hws_pmi_finalize(p), HWS_OK);
    hws_pmi_close(p);
    hws_pmi_close(q);
}

Test(pmi_env, steps_without_pmi_are_refused)
{
    static const char *const vars[] = {"SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PBS_TASKNUM"};
    struct hws_pmi_env env;
    for (size_t i = 0; i < HWS_ARRAY_LEN(vars); i++) {
        clear_env();
        setenv(vars[i], "1", 1);
        cr_expect_eq(hws_pmi_env_read(&env, err, sizeof err), HWS_OK, "%s", vars[i]);
        setenv(vars[i], "2", 1);
        cr_expect_eq(hws_pmi_env_read(&env, err, sizeof err), HWS_EPMI, "%s", vars[i]);
        setenv("HAWSER_SINGLETON_OK", "1", 1);
        cr_expect_eq(hws_pmi_env_read(&env, err, sizeof err), HWS_OK, "%s", vars[i]);
        unsetenv("HAWSER_SINGLETON_OK");
        setenv("HAWSER_PARENT_RANK", "0", 1);
        cr_expect_eq(hws_pmi_env_read(&env, err, sizeof err), HWS_OK, "a child of a rank");
    }
}

Test(pmi_env, broken_variables_are_refused)
{
    struct hws_pmi_env env;
    be_rank("4", "4", NULL);
    cr_expect_eq(hws_pmi_env_read(&env, err, sizeof err), HWS_EPMI);
    cr_expect_str_eq(err, "the launcher gave PMI_FD but no usable PMI_RANK and PMI_SIZE");
    be_rank("-1", "4", NULL);
    cr_expect_eq(hws_pmi_env_read(&env, err, sizeof err), HWS_EPMI);
    setenv("PMI_FD", "x", 1);
    cr_expect_eq(hws_pmi_env_read(&env, err, sizeof err), HWS_EPMI);
}
