/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_server_test: the answers to PMI-1 lines, word for word, and to nonsense.
 */
#include "mpirun/pmi/pmi_server.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/errors.h"

static struct hws_spec spec = {.job = "job", .size = 2, .universe_size = 4, .mapping = "(vector,(0,1,2))"};
static struct hws_pmi_conn conns[2] = {{.rank = 0, .app = 0, .state = HWS_RANK_STARTED},
                                       {.rank = 1, .app = 1, .state = HWS_RANK_STARTED}};
static struct hws_pmi_conn *list[2] = {&conns[0], &conns[1]};
static struct hws_pmi_server *s;
static char answer[4096], aborted[128];
static int n_barriers, n_misses;

static void on_barrier(void *arg, struct hws_buf *batch)
{
    (void)arg;
    (void)batch;
    n_barriers++;
}

static void on_abort(void *arg, int rank, int code, const char *text)
{
    (void)arg;
    snprintf(aborted, sizeof aborted, "%d %d '%s'", rank, code, text);
}

static void on_output(void *arg, struct hws_pmi_conn *conn)
{
    (void)arg;
    (void)conn;
}

static void on_miss(void *arg, const char *key)
{
    (void)arg;
    cr_expect_str_eq(key, "far");
    n_misses++;
}

static void open_server(void)
{
    static const struct hws_pmi_server_events ev = {on_barrier, on_abort, on_output, on_miss};
    memset(spec.secret, 0xab, sizeof spec.secret);
    s = hws_pmi_server_open(&spec, list, 2, &ev, NULL);
}

/* Sends text as rank `r` and returns what it gets. */
static const char *ask(int r, const char *text)
{
    cr_assert_eq(hws_pmi_server_feed(s, &conns[r], text, strlen(text)), HWS_OK, "%s", text);
    snprintf(answer, sizeof answer, "%.*s", (int)conns[r].out.len, hws_buf_data(&conns[r].out));
    hws_buf_consume(&conns[r].out, conns[r].out.len);
    return answer;
}

TestSuite(pmi_server, .init = open_server);

Test(pmi_server, answers)
{
    cr_expect_str_eq(ask(1, "cmd=init pmi_version=1 pmi_subversion=1\n"),
                     "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 hawser=1 appnum=1 universe_size=4 "
                     "vallen_max=65536 kvsname=job\n");
    cr_expect_eq(conns[1].state, HWS_RANK_IN_MPI);
    cr_expect_str_eq(ask(0, "cmd=get_maxes\n"), "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=65536\n");
    cr_expect_str_eq(ask(0, "cmd=get_appnum\n"), "cmd=appnum rc=0 appnum=0\n");
    cr_expect_str_eq(ask(0, "cmd=get_my_kvsname\n"), "cmd=my_kvsname rc=0 kvsname=job\n");
    cr_expect_str_eq(ask(0, "cmd=get_universe_size\n"), "cmd=universe_size rc=0 size=4\n");
    cr_expect_str_eq(ask(0, "cmd=put kvsname=job key=a value=b=c\n"), "cmd=put_result rc=0 msg=success\n");
    cr_expect_str_eq(ask(1, "cmd=get kvsname=job key=a\n"), "cmd=get_result rc=0 msg=success value=b=c\n");
    cr_expect_str_eq(ask(1, "cmd=get kvsname=job key=b\n"), "cmd=get_result rc=-1 msg=key_not_found\n");
    cr_expect_str_eq(ask(1, "cmd=get kvsname=job key=PMI_process_mapping\n"),
                     "cmd=get_result rc=0 msg=success value=(vector,(0,1,2))\n");
    cr_expect_str_eq(ask(0, "cmd=finalize\n"), "cmd=finalize_ack rc=0\n");
    cr_expect_eq(conns[0].state, HWS_RANK_STARTED, "nothing to finalize");
    cr_expect_str_eq(ask(1, "cmd=finalize\n"), "cmd=finalize_ack rc=0\n");
    cr_expect_eq(conns[1].state, HWS_RANK_FINALIZED);
    ask(1, "cmd=init pmi_version=1\n");
    cr_expect_eq(conns[1].state, HWS_RANK_FINALIZED, "MPI begins once");
}

Test(pmi_server, lines_may_arrive_in_pieces_and_together)
{
    cr_expect_str_eq(ask(0, "cmd=get_a"), "");
    cr_expect_str_eq(ask(0, "ppnum\ncmd=put key=k value=v\ncmd=get k"),
                     "cmd=appnum rc=0 appnum=0\ncmd=put_result rc=0 msg=success\n");
    cr_expect_str_eq(ask(0, "ey=k\n"), "cmd=get_result rc=0 msg=success value=v\n");
}

Test(pmi_server, secret_is_given_in_hexadecimal)
{
    const char *got = ask(0, "cmd=get kvsname=job key=hawser-secret\n");
    cr_expect_eq(strncmp(got, "cmd=get_result rc=0 msg=success value=abab", 42), 0, "%s", got);
    cr_expect_eq(strlen(strstr(got, "value=")), 6u + 64u + 1u);
}

Test(pmi_server, barrier_waits_for_all)
{
    cr_expect_str_eq(ask(0, "cmd=barrier_in\n"), "");
    cr_expect_eq(n_barriers, 0);
    cr_expect_str_eq(ask(1, "cmd=barrier_in\n"), "");
    cr_expect_eq(n_barriers, 1);
    cr_expect_eq(hws_pmi_server_release(s, NULL, 0), HWS_OK);
    cr_expect_str_eq(ask(0, ""), "cmd=barrier_out rc=0\n");
    cr_expect_str_eq(ask(1, ""), "cmd=barrier_out rc=0\n");
}

Test(pmi_server, barrier_does_not_wait_for_the_absent)
{
    hws_pmi_server_absent(s);
    cr_expect_eq(n_barriers, 0, "nobody waits");
    ask(0, "cmd=barrier_in\n");
    cr_expect_eq(n_barriers, 1);
}

Test(pmi_server, barrier_waits_until_one_is_absent)
{
    ask(1, "cmd=barrier_in\n");
    cr_expect_eq(n_barriers, 0);
    hws_pmi_server_absent(s);
    cr_expect_eq(n_barriers, 1);
}

Test(pmi_server, a_brief_client_gets_all_at_once)
{
    const char *got = ask(0, "cmd=init pmi_version=1 pmi_subversion=1 hawser=1\n");
    cr_expect(strstr(got, "kvsname=job mapping=(vector,(0,1,2)) brief=1 secret=abab"), "%s", got);
    cr_expect_str_eq(ask(0, "cmd=put kvsname=job key=a value=1\n"), "");
    cr_expect_str_eq(ask(0, "cmd=put kvsname=job\n"), "cmd=put_result rc=-1 msg=no_key_or_value\n", "an error is told");
    ask(0, "cmd=barrier_in key=a\n");
    ask(1, "cmd=barrier_in key=b\n");
    cr_expect_eq(hws_pmi_server_release(s, NULL, 0), HWS_OK);
    cr_expect_str_eq(ask(0, ""), "cmd=barrier_out rc=0 value=1\n");
    cr_expect_str_eq(ask(1, ""), "cmd=barrier_out rc=0\n");
    cr_expect_str_eq(ask(0, "cmd=finalize\n"), "");
    cr_expect_eq(conns[0].state, HWS_RANK_FINALIZED);
}

Test(pmi_server, what_is_elsewhere_is_asked_for)
{
    cr_expect_str_eq(ask(0, "cmd=get kvsname=job key=far\n"), "cmd=get_result rc=-1 msg=key_not_found\n");
    hws_pmi_server_ask(s);
    ask(0, "cmd=put kvsname=job key=near value=1\n");
    cr_expect_str_eq(ask(0, "cmd=get kvsname=job key=near\n"), "cmd=get_result rc=0 msg=success value=1\n");
    cr_expect_eq(n_misses, 0);
    cr_expect_str_eq(ask(0, "cmd=get kvsname=job key=far\n"), "");
    cr_expect_str_eq(ask(1, "cmd=get kvsname=job key=far\n"), "");
    cr_expect_eq(n_misses, 1, "one question for both");
    hws_pmi_server_value(s, "far", "2");
    cr_expect_str_eq(ask(0, ""), "cmd=get_result rc=0 msg=success value=2\n");
    cr_expect_str_eq(ask(1, ""), "cmd=get_result rc=0 msg=success value=2\n");
    cr_expect_str_eq(ask(1, "cmd=get kvsname=job key=far\n"), "");
    cr_expect_eq(n_misses, 2, "nothing is kept that another may change");
    cr_expect_eq(hws_pmi_server_feed(s, &conns[1], "cmd=get kvsname=job key=near\n", 29), HWS_EPROTO, "one at a time");
    hws_pmi_server_value(s, "far", NULL);
    cr_expect_str_eq(ask(1, ""), "cmd=get_result rc=-1 msg=key_not_found\n");
}

Test(pmi_server, abort_keeps_the_whole_text)
{
    ask(1, "cmd=abort exitcode=7 text=rank 1 gives up: a=b\n");
    cr_expect_str_eq(aborted, "1 7 'rank 1 gives up: a=b'");
    cr_expect_eq(conns[1].state, HWS_RANK_ABORTED);
    ask(0, "cmd=abort exitcode=9\n");
    ask(0, "cmd=init pmi_version=1\n");
    cr_expect_eq(conns[0].state, HWS_RANK_ABORTED);
    cr_expect_str_eq(aborted, "0 9 ''");
}

Test(pmi_server, nonsense)
{
    cr_expect_str_eq(ask(0, "cmd=spawn nprocs=3\n"), "cmd=spawn rc=-1 msg=unknown_command\n");
    cr_expect_str_eq(ask(0, "cmd=put kvsname=job\n"), "cmd=put_result rc=-1 msg=no_key_or_value\n");
    cr_expect_eq(hws_pmi_server_feed(s, &conns[0], "GET / HTTP/1.0\n", 15), HWS_EPROTO);
    ask(1, "cmd=barrier_in\n");
    cr_expect_eq(hws_pmi_server_feed(s, &conns[1], "cmd=barrier_in\n", 15), HWS_EPROTO, "twice in one barrier");
}
