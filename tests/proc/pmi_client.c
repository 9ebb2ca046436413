/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_client: a rank reduced to the library's launcher client, for the tests of mpirun and of foreign launchers. It
 * does what MPI_Init and MPI_Finalize do with the launcher, checks every answer, and then acts as its arguments say:
 *   exit=CODE[@RANK]   leave with CODE (all ranks, or one) after finalize     early=CODE@RANK  leave without finalize
 *   abort=CODE@RANK    abort with the text "asked to abort"                   kill=SIG@RANK    kill itself
 *   hang[=RANK]        wait for ever instead of finalizing, ignoring SIGTERM   long=N           exchange values of N
 * characters die                wait until the launcher goes away                      print            say rank and
 * size on stdout map                say on stdout how many hosts there are, and the ranks of the own one
 */
#include "launch/pmi.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hws_pmi *pmi;

static void must(int rc, const char *what)
{
    if (rc == HWS_OK)
        return;
    fprintf(stderr, "pmi_client: %s: %s (%s)\n", what, hws_err_text((enum hws_err)rc), hws_pmi_reason(pmi));
    exit(99);
}

/* The number in "name=NUMBER[@RANK]" if it is meant for this rank; -1 otherwise. */
static long wanted(int argc, char **argv, const char *name)
{
    size_t len = strlen(name);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], name, len) != 0 || (argv[i][len] != '=' && argv[i][len] != '\0'))
            continue;
        const char *at = strchr(argv[i], '@');
        if (!at || atoi(at + 1) == hws_pmi_rank(pmi))
            return argv[i][len] ? atol(argv[i] + len + 1) : 0;
    }
    return -1;
}

static char *value_of(int rank, size_t len)
{
    char *v = malloc(len + 16);
    int n = sprintf(v, "card-%d-", rank);
    for (size_t i = (size_t)n; i < len; i++)
        v[i] = (char)('a' + (i + (size_t)rank) % 26);
    v[len > (size_t)n ? len : (size_t)n] = '\0';
    return v;
}

static void exchange(size_t len)
{
    int size = hws_pmi_size(pmi), rank = hws_pmi_rank(pmi);
    char key[32], *got = malloc(len + 64), *mine = value_of(rank, len);
    snprintf(key, sizeof key, "card.%d", rank);
    must(hws_pmi_put(pmi, key, mine), "put");
    must(hws_pmi_barrier(pmi), "barrier");
    for (int i = 0; i < (size < 8 ? size : 8) && size > 1; i++) {
        int other = (rank + i) % size;
        snprintf(key, sizeof key, "card.%d", other);
        must(hws_pmi_get(pmi, key, got, len + 64), key);
        char *want = value_of(other, len);
        if (strcmp(want, got) != 0) {
            fprintf(stderr, "pmi_client: %s is '%.40s' instead of '%.40s'\n", key, got, want);
            exit(98);
        }
        free(want);
    }
    if (size > 1 && hws_pmi_get(pmi, "no-such-key", got, len + 64) != HWS_EINVAL)
        exit(97);
    free(mine);
    free(got);
}

/* The secret is the same in all ranks: each puts a hash of its own, and compares with rank 0's. */
static void compare_secret(void)
{
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    must(hws_pmi_secret(pmi, secret), "secret");
    unsigned hash = 5381;
    for (size_t i = 0; i < sizeof secret; i++)
        hash = hash * 33 + secret[i];
    char key[32], mine[64], first[64];
    snprintf(key, sizeof key, "hash.%d", hws_pmi_rank(pmi));
    snprintf(mine, sizeof mine, "%08x-%llx", hash, (unsigned long long)hws_pmi_job_id(pmi));
    must(hws_pmi_put(pmi, key, mine), "put hash");
    must(hws_pmi_barrier_begin(pmi), "barrier_begin");
    while (!hws_pmi_barrier_is_done(pmi)) {
        poll(&(struct pollfd){.fd = hws_pmi_fd(pmi), .events = POLLIN}, 1, -1);
        must(hws_pmi_on_readable(pmi), "on_readable");
    }
    if (hws_pmi_is_singleton(pmi))
        return;
    must(hws_pmi_get(pmi, "hash.0", first, sizeof first), "get hash");
    if (strcmp(mine, first) != 0) {
        fprintf(stderr, "pmi_client: secret or job id differ: %s %s\n", mine, first);
        exit(96);
    }
}

/* "rank 1: 2 hosts, 1 3 here"; "rank 1: no map". */
static void print_map(void)
{
    int size = hws_pmi_size(pmi), n_hosts = 0, *locals = NULL, *hosts = malloc((size_t)size * sizeof *hosts);
    int n = hws_pmi_locals(pmi, &locals);
    bool known = hws_pmi_hosts(pmi, hosts);
    for (int i = 0; known && i < size; i++)
        n_hosts = hosts[i] >= n_hosts ? hosts[i] + 1 : n_hosts;
    char text[4096];
    int used = snprintf(text, sizeof text, "rank %d: ", hws_pmi_rank(pmi));
    used += known ? snprintf(text + used, 64, "%d hosts,", n_hosts) : snprintf(text + used, 64, "no map");
    for (int i = 0; i < n && used < (int)sizeof text - 32; i++)
        used += snprintf(text + used, 16, " %d", locals[i]);
    printf("%s%s\n", text, n ? " here" : "");
    free(locals);
    free(hosts);
}

static void wait_for_launcher(void)
{
    for (;;) {
        poll(&(struct pollfd){.fd = hws_pmi_fd(pmi), .events = POLLIN}, 1, -1);
        if (hws_pmi_on_readable(pmi) == HWS_ECLOSED && hws_pmi_is_lost(pmi))
            hws_pmi_die(pmi);
    }
}

static void misbehave(int argc, char **argv)
{
    long n;
    if ((n = wanted(argc, argv, "kill")) >= 0) {
        signal((int)n, SIG_DFL); /* a sanitizer would catch it */
        raise((int)n);
    }
    if ((n = wanted(argc, argv, "early")) >= 0)
        exit((int)n);
    if ((n = wanted(argc, argv, "abort")) >= 0) {
        hws_pmi_abort(pmi, (int)n, "asked to abort");
        _exit((int)n);
    }
    if (wanted(argc, argv, "die") >= 0)
        wait_for_launcher();
    if (wanted(argc, argv, "hang") >= 0) {
        signal(SIGTERM, SIG_IGN);
        for (;;)
            pause();
    }
}

int main(int argc, char **argv)
{
    char err[512];
    if (hws_pmi_open(&pmi, 0, err, sizeof err) != HWS_OK) {
        fprintf(stderr, "pmi_client: %s\n", err);
        return 90;
    }
    long len = wanted(argc, argv, "long");
    exchange(len > 0 ? (size_t)len : 40);
    compare_secret();
    if (wanted(argc, argv, "print") >= 0)
        printf("rank %d of %d, %d on this host, app %d, universe %d, launcher %d\n", hws_pmi_rank(pmi),
               hws_pmi_size(pmi), hws_pmi_n_local(pmi), hws_pmi_appnum(pmi), hws_pmi_universe_size(pmi),
               (int)hws_pmi_launcher(pmi));
    if (wanted(argc, argv, "map") >= 0)
        print_map();
    fflush(stdout);
    misbehave(argc, argv);
    must(hws_pmi_barrier(pmi), "last barrier");
    must(hws_pmi_finalize(pmi), "finalize");
    hws_pmi_close(pmi);
    pmi = NULL;
    for (int i = 1; i < argc; i++) {
        const char *at = strchr(argv[i], '@');
        if (strncmp(argv[i], "exit=", 5) == 0 && (!at || atoi(at + 1) == atoi(getenv("PMI_RANK"))))
            return atoi(argv[i] + 5);
    }
    return 0;
}
