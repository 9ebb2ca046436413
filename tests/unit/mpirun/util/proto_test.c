/* SPDX-License-Identifier: BSD-3-Clause
 *
 * proto_test: frames and specs survive the way, and nothing that arrives broken does harm.
 */
#include "mpirun/util/proto.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "launch/pmi.h"
#include "mpirun/pmi/kvs.h"

static struct hws_buf b;

static void make_spec(struct hws_spec *s)
{
    static char *env[] = {"A=1", "EMPTY=", NULL}, *argv[] = {"prog", "", "two words", NULL}, *own[] = {"B=2", NULL},
                *listed[] = {"A", "C", NULL};
    static struct hws_app apps[] = {{.argv = argv, .wdir = "/d", .env = own},
                                    {.argv = argv, .path = "/bin", .takes_listed = true, .listed = listed}};
    static struct hws_spec_rank ranks[] = {{3, 0}, {7, 1}};
    *s = (struct hws_spec){.job = "job-1",
                           .size = 8,
                           .universe_size = 9,
                           .node = 2,
                           .stdin_rank = -1,
                           .cwd = "/cwd",
                           .env = env,
                           .apps = apps,
                           .n_apps = 2,
                           .ranks = ranks,
                           .n_ranks = 2};
    memset(s->secret, 0xa5, sizeof s->secret);
}

Test(proto, frames_arrive_byte_by_byte)
{
    struct hws_buf out = {0}, in = {0};
    struct hws_proto_frame f;
    size_t begin = hws_frame_begin(&out, HWS_PROTO_SIGNAL, 7);
    hws_add_u32(&out, 15);
    hws_frame_end(&out, begin);
    hws_frame_end(&out, hws_frame_begin(&out, HWS_PROTO_DRAINED, UINT64_MAX - 1));
    cr_assert_eq(out.len, 17u + 13u);
    for (size_t i = 0; i < 17; i++) {
        cr_expect_eq(hws_frame_peek(&in, &f), 0);
        hws_buf_append(&in, hws_buf_data(&out) + i, 1);
    }
    cr_assert_eq(hws_frame_peek(&in, &f), 1);
    struct hws_reader r = {.data = f.data, .len = f.len};
    cr_expect_eq(f.type, HWS_PROTO_SIGNAL);
    cr_expect_eq(f.job, 7u);
    cr_expect_eq(hws_read_u32(&r), 15u);
    cr_expect_not(r.bad);
    cr_expect_eq(hws_read_u32(&r), 0u);
    cr_expect(r.bad);
    hws_buf_consume(&in, HWS_PROTO_HEADER + f.len);
    hws_buf_append(&in, hws_buf_data(&out) + 17, 13);
    cr_assert_eq(hws_frame_peek(&in, &f), 1);
    cr_expect_eq(f.type, HWS_PROTO_DRAINED);
    cr_expect_eq(f.job, UINT64_MAX - 1);
    cr_expect_eq(f.len, 0u);
    hws_buf_free(&in);
    hws_buf_free(&out);
}

Test(proto, frame_bytes_are_fixed)
{
    static const unsigned char golden[] = {8, 0, 0, 0, 32, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 0, 0, 0xff, 0, 0, 1};
    size_t begin = hws_frame_begin(&b, HWS_PROTO_STARTED, 0x0102030405060708);
    hws_add_u32(&b, 0x201);
    hws_add_u32(&b, 0x010000ff);
    hws_frame_end(&b, begin);
    cr_assert_eq(b.len, sizeof golden);
    cr_expect_eq(memcmp(hws_buf_data(&b), golden, sizeof golden), 0);
    hws_buf_free(&b);
}

Test(proto, a_frame_too_large_is_refused)
{
    struct hws_proto_frame f;
    hws_buf_append(&b, "\xff\xff\xff\xff\x01\0\0\0\0\0\0\0\0", 13);
    cr_expect_eq(hws_frame_peek(&b, &f), HWS_EPROTO);
    hws_buf_free(&b);
}

Test(proto, spec_survives)
{
    struct hws_spec s, got;
    make_spec(&s);
    hws_spec_encode(&s, &b);
    cr_assert_eq(hws_spec_decode(&got, hws_buf_data(&b), b.len), HWS_OK);
    cr_expect_str_eq(got.job, "job-1");
    cr_expect_eq(got.id, hws_pmi_id_of_job("job-1", 5));
    cr_expect_eq(memcmp(got.secret, s.secret, sizeof s.secret), 0);
    cr_expect_eq(got.size, 8);
    cr_expect_eq(got.stdin_rank, -1);
    cr_expect_null(got.mapping);
    cr_expect_str_eq(got.env[1], "EMPTY=");
    cr_expect_null(got.env[2]);
    cr_expect_str_eq(got.apps[0].argv[1], "");
    cr_expect_str_eq(got.apps[0].argv[2], "two words");
    cr_expect_str_eq(got.apps[0].wdir, "/d");
    cr_expect_null(got.apps[1].wdir);
    cr_expect_str_eq(got.apps[1].path, "/bin");
    cr_expect_not(got.apps[0].takes_listed);
    cr_expect(got.apps[1].takes_listed);
    cr_expect_str_eq(got.apps[1].listed[1], "C");
    cr_expect_null(got.apps[1].listed[2]);
    cr_expect_eq(got.ranks[1].rank, 7);
    cr_expect_eq(got.ranks[1].app, 1);
    hws_spec_fini(&got);
    hws_buf_free(&b);
}

Test(proto, spec_cut_anywhere_is_refused)
{
    struct hws_spec s, got;
    make_spec(&s);
    hws_spec_encode(&s, &b);
    for (size_t len = 0; len < b.len; len++) {
        char *exact = malloc(len + 1); /* so that a sanitizer sees a read beyond it */
        memcpy(exact, hws_buf_data(&b), len);
        char *fit = realloc(exact, len ? len : 1);
        cr_expect_eq(hws_spec_decode(&got, fit, len), HWS_EPROTO, "%zu of %zu bytes were accepted", len, b.len);
        free(fit);
    }
    hws_buf_append(&b, "x", 1);
    cr_expect_eq(hws_spec_decode(&got, hws_buf_data(&b), b.len), HWS_EPROTO);
    hws_buf_free(&b);
}

Test(proto, spec_with_any_byte_changed_does_no_harm)
{
    struct hws_spec s, got;
    int accepted = 0;
    make_spec(&s);
    hws_spec_encode(&s, &b);
    for (size_t i = 0; i < b.len; i++)
        for (int bit = 0; bit < 8; bit++) {
            char *copy = malloc(b.len);
            memcpy(copy, hws_buf_data(&b), b.len);
            copy[i] = (char)(copy[i] ^ (1 << bit));
            if (hws_spec_decode(&got, copy, b.len) == HWS_OK) {
                accepted++; /* a changed character of a text, or a number that is still one */
                for (int r = 0; r < got.n_ranks; r++)
                    cr_expect(got.ranks[r].rank < got.size && got.ranks[r].app < got.n_apps);
                hws_spec_fini(&got);
            }
            free(copy);
        }
    cr_expect_gt(accepted, 0);
    hws_buf_free(&b);
}

Test(kvs, batches_carry_what_is_new)
{
    struct hws_kvs *a = hws_kvs_open(), *c = hws_kvs_open();
    char key[32];
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof key, "key-%d", i);
        hws_kvs_put(a, key, strlen(key), key + 4, strlen(key) - 4);
    }
    hws_kvs_put(a, "key-7", 5, "new", 3);
    hws_kvs_take_batch(a, &b);
    cr_assert_eq(hws_kvs_put_batch(c, hws_buf_data(&b), b.len), HWS_OK);
    cr_expect_str_eq(hws_kvs_get(c, "key-7", 5), "new");
    cr_expect_str_eq(hws_kvs_get(c, "key-499", 7), "499");
    cr_expect_null(hws_kvs_get(c, "key-500", 7));
    struct hws_buf second = {0};
    hws_kvs_take_batch(a, &second);
    cr_expect_eq(second.len, 0u);
    hws_kvs_take_batch(c, &second);
    cr_expect_eq(second.len, 0u, "what came from elsewhere is not handed on");
    hws_kvs_put(c, "key-7", 5, "newer", 5);
    cr_assert_eq(hws_kvs_put_batch(c, hws_buf_data(&b), b.len), HWS_OK);
    cr_expect_str_eq(hws_kvs_get(c, "key-7", 5), "newer");
    for (size_t len = b.len - 1; len > b.len - 12; len--)
        cr_expect_eq(hws_kvs_put_batch(c, hws_buf_data(&b), len), HWS_EPROTO);
    hws_kvs_fini(a);
    hws_kvs_fini(c);
    hws_buf_free(&b);
}
