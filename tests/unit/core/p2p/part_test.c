/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned sends and receives to oneself: all pairs of partition counts, either side first, partitions ready in any
 * order.
 */
#include "setup.h"

TestSuite(part, .init = p2p_setup);

enum { WORDS = 120 };

static int out[WORDS], in[WORDS];

static MPI_Request sender(int partitions, int tag)
{
    MPI_Request r;
    cr_assert_eq(
        MPI_Psend_init(out, partitions, WORDS / partitions, MPI_INT, ME, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &r),
        MPI_SUCCESS);
    return r;
}

static MPI_Request receiver(int partitions, int tag)
{
    MPI_Request r;
    cr_assert_eq(
        MPI_Precv_init(in, partitions, WORDS / partitions, MPI_INT, ME, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &r),
        MPI_SUCCESS);
    return r;
}

static void fill(int seed)
{
    memset(in, 0, sizeof(in));
    for (int i = 0; i < WORDS; i++)
        out[i] = seed + i;
}

/* Bytes that have been made ready by partitions of the sender, as Parrived must see them. */
static bool is_ready(const bool *ready, int n_send, int n_recv, int j)
{
    int a = WORDS / n_recv * j, b = a + WORDS / n_recv, w = WORDS / n_send;
    for (int i = a / w; i * w < b; i++)
        if (!ready[i])
            return false;
    return true;
}

static void round_trip(MPI_Request s, MPI_Request r, int n_send, int n_recv, int step)
{
    bool ready[WORDS] = {false};
    MPI_Status st;
    int flag, n;
    for (int k = 0; k < n_send; k++) {
        int i = (k * step) % n_send;
        cr_assert_eq(MPI_Pready(i, s), MPI_SUCCESS);
        ready[i] = true;
        hws_engine_progress(NULL);
        for (int j = 0; j < n_recv; j++) {
            cr_assert_eq(MPI_Parrived(r, j, &flag), MPI_SUCCESS);
            cr_expect_eq(flag, is_ready(ready, n_send, n_recv, j), "%d to %d, %d ready, %d arrived", n_send, n_recv, i,
                         j);
        }
    }
    cr_assert_eq(MPI_Wait(&s, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    MPI_Get_count(&st, MPI_INT, &n);
    cr_expect_eq(n, WORDS);
    cr_expect_eq(st.MPI_SOURCE, ME);
    cr_expect_eq(st.MPI_TAG, 3);
    cr_expect_eq(memcmp(in, out, sizeof(in)), 0);
}

Test(part, all_pairs_of_counts)
{
    static const int counts[] = {1, 2, 3, 4, 5, 8, 12};
    for (unsigned a = 0; a < 7; a++)
        for (unsigned b = 0; b < 7; b++) {
            MPI_Request s = sender(counts[a], 3), r = receiver(counts[b], 3);
            for (int k = 0; k < 3; k++) {
                fake.sends = (enum fake_sends)k;
                fill((int)(a + b) * 1000 + k);
                MPI_Start(k % 2 ? &s : &r);
                MPI_Start(k % 2 ? &r : &s);
                round_trip(s, r, counts[a], counts[b], 7);
            }
            MPI_Request_free(&s);
            MPI_Request_free(&r);
        }
}

Test(part, receiver_may_start_before_the_sender_exists)
{
    MPI_Request r = receiver(3, 3), s;
    int flag = 1;
    fill(5);
    MPI_Start(&r);
    MPI_Parrived(r, 0, &flag);
    cr_expect_not(flag);
    s = sender(4, 3);
    MPI_Start(&s);
    round_trip(s, r, 4, 3, 3);
}

Test(part, channels_match_in_the_order_of_their_inits)
{
    int a[2] = {1, 2}, b[2] = {3, 4}, x[2] = {0}, y[2] = {0};
    MPI_Request r[4];
    MPI_Precv_init(x, 1, 2, MPI_INT, ME, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Psend_init(a, 2, 1, MPI_INT, ME, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Psend_init(b, 1, 2, MPI_INT, ME, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);
    MPI_Precv_init(y, 2, 1, MPI_INT, ME, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[3]);
    MPI_Startall(4, r);
    MPI_Pready(0, r[2]);
    MPI_Pready_list(2, (int[]){1, 0}, r[1]);
    cr_assert_eq(MPI_Waitall(4, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_expect(x[0] == 1 && x[1] == 2 && y[0] == 3 && y[1] == 4);
}

Test(part, strided_receive)
{
    MPI_Datatype vector, every_second;
    int got[2 * WORDS] = {0};
    MPI_Request s = sender(6, 3), r;
    MPI_Type_vector(WORDS / 4, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, WORDS / 2 * (MPI_Aint)sizeof(int), &every_second);
    MPI_Type_commit(&every_second);
    MPI_Precv_init(got, 4, 1, every_second, ME, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    fill(9);
    MPI_Start(&s);
    MPI_Start(&r);
    MPI_Pready_range(0, 5, s);
    cr_assert_eq(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (int i = 0; i < 2 * WORDS; i++)
        cr_expect_eq(got[i], i % 2 ? 0 : 9 + i / 2);
    MPI_Request_free(&s);
    MPI_Request_free(&r);
    MPI_Type_free(&vector);
    MPI_Type_free(&every_second);
}

Test(part, a_buffer_that_is_too_short)
{
    MPI_Request s = sender(4, 3), r;
    MPI_Precv_init(in, 2, 10, MPI_INT, ME, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&s);
    MPI_Start(&r);
    MPI_Pready_range(0, 3, s);
    check_error(
        MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE,
        "MPI_Wait: MPI_ERR_TRUNCATE: message truncated: 4 partitions of 120 bytes came from rank 1 with tag 3, the "
        "receive buffer holds 2 of 40 bytes");
}

Test(part, proc_null)
{
    MPI_Request r[2];
    int flag = 0;
    MPI_Psend_init(out, 2, 5, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Precv_init(in, 2, 5, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Startall(2, r);
    cr_assert_eq(MPI_Pready(1, r[0]), MPI_SUCCESS);
    cr_assert_eq(MPI_Parrived(r[1], 1, &flag), MPI_SUCCESS);
    cr_expect(flag);
    cr_assert_eq(MPI_Waitall(2, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_expect_eq(fake.n_sent + fake_n_posted(), 0);
}

Test(part, freed_without_a_partner)
{
    MPI_Request r = receiver(2, 3);
    cr_expect_eq(fake_n_posted(), 1);
    MPI_Request_free(&r);
    cr_expect_eq(fake_n_posted(), 0);
}

Test(part, wrong_arguments)
{
    MPI_Request r, s = sender(2, 3);
    int flag;
    check_error(MPI_Psend_init(out, 0, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r), MPI_ERR_ARG,
                "MPI_Psend_init: MPI_ERR_ARG: invalid partitions: argument partitions is 0, it must be at least 1");
    check_error(
        MPI_Precv_init_c(in, 4, INT64_MAX / 4, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r), MPI_ERR_COUNT,
        "MPI_Precv_init_c: MPI_ERR_COUNT: invalid count: argument count is 2305843009213693951, 4 partitions would "
        "have 2^63 bytes or more");
    check_error(
        MPI_Precv_init(in, 4, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r), MPI_ERR_RANK,
        "MPI_Precv_init: MPI_ERR_RANK: invalid rank: argument source is -1, it must be 0 to 3 or MPI_PROC_NULL");
    check_error(MPI_Pready(0, s), MPI_ERR_REQUEST,
                "MPI_Pready: MPI_ERR_REQUEST: invalid request: it is not active, MPI_Start comes before MPI_Pready");
    MPI_Start(&s);
    check_error(MPI_Pready(2, s), MPI_ERR_ARG,
                "MPI_Pready: MPI_ERR_ARG: invalid partition: argument partition is 2, it must be 0 to 1");
    MPI_Pready(1, s);
    check_error(MPI_Pready(1, s), MPI_ERR_ARG, "MPI_Pready: MPI_ERR_ARG: invalid partition: 1 is marked ready already");
    check_error(MPI_Parrived(s, 0, &flag), MPI_ERR_REQUEST,
                "MPI_Parrived: MPI_ERR_REQUEST: invalid request: it is no partitioned receive");
}
