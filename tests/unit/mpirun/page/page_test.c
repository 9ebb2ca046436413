/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page_test: records of ranks become one page: sums to the byte, texts that cannot become markup, ranks put together
 * where they are many, and no record that is none.
 */
#include "mpirun/page/page.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const hosts[] = {"h0", "h1", "h2"};
static struct hws_buf text;

static struct hws_profile *profile_of(int n_ranks)
{
    struct hws_profile *p = calloc(1, hws_profile_stride(n_ranks));
    p->version = HWS_PROFILE_VERSION;
    p->n_ranks = (uint32_t)n_ranks;
    p->begin_ns = 1000000;
    p->slot_ns = HWS_PROFILE_SLOT_NS;
    p->elapsed_ns = p->sampled_ns = 4 * HWS_PROFILE_SLOT_NS;
    return p;
}

static bool add(struct hws_page *page, int host, const struct hws_profile *p, int rank, int n_ranks)
{
    struct hws_buf b = {0};
    hws_page_encode(p, rank, n_ranks, &b);
    bool rc = hws_page_add(page, host, hws_buf_data(&b), b.len);
    hws_buf_free(&b);
    return rc;
}

static const char *write_page(const struct hws_page *page)
{
    static const struct hws_page_about about = {"mpirun -n 2 a <b> & \"c\"", "The job ended without an error."};
    hws_buf_free(&text);
    hws_page_write(page, &about, &text);
    hws_buf_append(&text, "", 1);
    return hws_buf_data(&text);
}

#define HAS(page, what) cr_expect_not_null(strstr(page, what), "no %s in\n%s", what, page)

Test(page, a_long_name_of_a_host_ends_before_its_bar)
{
    static const char *const long_hosts[] = {"a-rather-long-name.of.a.cluster"};
    const int host_of[] = {0};
    struct hws_page *page = hws_page_open(1, 1, long_hosts, host_of);
    const char *got = write_page(page);
    HAS(got, "<title>rank 0 (a-rather-long-name.of.a.cluster)");
    HAS(got, ">rank 0 (a-rather-long-na..</text>");
    hws_page_close(page);
}

Test(page, two_ranks)
{
    const int host_of[] = {0, 1};
    struct hws_page *page = hws_page_open(2, 2, hosts, host_of);
    struct hws_profile *p = profile_of(2);
    p->peers[1] = (struct hws_profile_peer){123456789012ull, 7, HWS_PROFILE_NET};
    p->has_calls = 1;
    p->n_calls = 2;
    p->calls[1] = (struct hws_profile_call){"MPI_Send", 9, 3000, 2000};
    p->in_mpi_ns = 3000;
    p->wait_ns = 2000;
    p->n_slow = 1;
    p->slow[0] = (struct hws_profile_slow){"MPI_Send", "MPI_COMM_WORLD", 500, 3000, 1, 800};
    p->n_lanes = 1;
    strcpy(p->lanes[0].name, "10.0.0.1 to <10.0.0.2>");
    p->lanes[0].bytes[2] = 5000;
    cr_assert(add(page, 0, p, 0, 2));
    const char *got = write_page(page);
    HAS(got, "\"traffic\":[[0,1,123456789012,7,\"net\"]]");
    HAS(got, "\"calls\":[[\"MPI_Send\",9,3000,2000]]");
    HAS(got, "\"slowest\":[[0,\"MPI_Send\",500,3000,\"MPI_COMM_WORLD\",1,800]]");
    HAS(got, "[\"h0: 10.0.0.1 to \\u003c10.0.0.2\\u003e\",5000,[");
    HAS(got, "h0: 10.0.0.1 to &lt;10.0.0.2>");
    HAS(got, "<title>mpirun -n 2 a &lt;b> &amp; &quot;c&quot;</title>");
    HAS(got, "Of 1 of 2 ranks nothing is known");
    cr_expect_null(strstr(got, "<10.0"), "no text becomes markup");
    free(p);
    hws_page_close(page);
}

Test(page, many_ranks_are_put_together_by_hosts)
{
    enum { N = 300 };
    int host_of[N];
    for (int i = 0; i < N; i++)
        host_of[i] = i / 100;
    struct hws_page *page = hws_page_open(N, 3, hosts, host_of);
    struct hws_profile *p = profile_of(N);
    p->peers[0] = (struct hws_profile_peer){10, 1, HWS_PROFILE_NET};
    for (int i = 0; i < 100; i++)
        cr_assert(add(page, 2, p, 200 + i, N));
    p->peers[0].messages = 0;
    p->peers[1] = (struct hws_profile_peer){1000, 2, HWS_PROFILE_SHM};
    cr_assert(add(page, 0, p, 0, N));
    const char *got = write_page(page);
    HAS(got, "\"traffic\":[[0,0,1000,2,\"shm\"],\n[2,0,1000,100,\"net\"]]");
    HAS(got, "{\"name\":\"host h1\",\"ranks\":100,\"silent\":100,");
    free(p);
    hws_page_close(page);
}

Test(page, hosts_beyond_what_a_picture_shows_are_put_together)
{
    enum { N = 1000 };
    static int host_of[N];
    static const char *names[N];
    for (int i = 0; i < N; i++) {
        host_of[i] = i;
        names[i] = "h";
    }
    struct hws_page *page = hws_page_open(N, N, names, host_of);
    struct hws_profile *p = profile_of(N);
    p->peers[999] = (struct hws_profile_peer){10, 1, HWS_PROFILE_NET};
    for (int i = 0; i < N; i++)
        cr_assert(add(page, i, p, i, N));
    const char *got = write_page(page);
    HAS(got, "[0,127,80,8,\"net\"]");
    cr_expect_null(strstr(got, "[128,"));
    free(p);
    hws_page_close(page);
}

/* A record cut anywhere, and one with a rank of another host, or none of the job. */
Test(page, what_is_no_record_is_refused)
{
    const int host_of[] = {0, 1};
    struct hws_profile *p = profile_of(2);
    struct hws_buf b = {0};
    p->peers[1] = (struct hws_profile_peer){10, 1, HWS_PROFILE_NET};
    p->n_lanes = 1;
    strcpy(p->lanes[0].name, "lane");
    p->lanes[0].bytes[3] = 1;
    hws_page_encode(p, 0, 2, &b);
    struct hws_page *page = hws_page_open(2, 2, hosts, host_of);
    for (size_t len = 1; len < b.len; len++) {
        char *exact = malloc(len);
        memcpy(exact, hws_buf_data(&b), len);
        cr_expect_not(hws_page_add(page, 0, exact, len), "%zu bytes", len);
        free(exact);
    }
    cr_expect_not(hws_page_add(page, 1, hws_buf_data(&b), b.len), "rank 0 is on host 0");
    cr_expect(hws_page_add(page, 0, hws_buf_data(&b), b.len));
    hws_buf_free(&b);
    hws_page_encode(p, 2, 2, &b);
    cr_expect_not(hws_page_add(page, 0, hws_buf_data(&b), b.len), "there is no rank 2");
    hws_buf_free(&b);
    p->version = 0; /* MPI_Init was not called */
    hws_page_encode(p, 0, 2, &b);
    cr_expect_eq(b.len, 0);
    hws_page_close(page);
    free(p);
}

/* The rank has written over its memory. */
Test(page, what_a_rank_wrote_is_cut_to_size)
{
    const int host_of[] = {0, 0};
    struct hws_page *page = hws_page_open(2, 1, hosts, host_of);
    struct hws_profile *p = profile_of(2);
    memset(&p->n_lanes, 0xff, sizeof p->n_lanes);
    memset(&p->n_calls, 0xff, sizeof p->n_calls);
    memset(&p->n_slow, 0xff, sizeof p->n_slow);
    memset(p->lanes, 0x01, sizeof p->lanes);
    memset(p->calls, 0x3c, sizeof p->calls);
    memset(p->slow, 0xff, sizeof p->slow);
    cr_assert(add(page, 0, p, 1, 2));
    const char *got = write_page(page);
    cr_expect_not_null(strstr(got, "</html>"));
    cr_expect_null(strstr(got, "<<<"));
    free(p);
    hws_page_close(page);
}
