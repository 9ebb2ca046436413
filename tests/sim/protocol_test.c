/* SPDX-License-Identifier: BSD-3-Clause
 *
 * protocol_test: what an engine does with a hello or a frame that is not right (docs/wire.md). Before the proof nothing
 * may change; after it a broken rule ends the connection and the peer, never more.
 */
#include <criterion/criterion.h>

#include "base/list.h"
#include "peer/kinds.h"
#include "stranger.h"
#include "virtual.h"

static struct stranger s;

static void setup(void)
{
    virtual_begin(); /* it stands still: no deadline passes, however slow this machine is */
    cr_assert(stranger_open(&s));
}

static void teardown(void)
{
    stranger_close(&s);
    virtual_end();
}

TestSuite(protocol, .init = setup, .fini = teardown);

/* The true rank 1 still gets in and its message arrives: the engine is none the worse. */
static void assert_job_goes_on(void)
{
    uint32_t got = 0, value = 4711;
    struct hws_recv_op recv = {.data = {&got, sizeof got, NULL}, .peer = 1, .tag = 5};
    cr_assert_eq(s.n_lost, 0);
    cr_assert(stranger_connect(&s));
    hws_engine_recv(s.engine, &recv);
    struct hws_frame f = {.type = HWS_FRAME_EAGER, .len = sizeof value, .tag = 5};
    cr_assert(stranger_frame(&s, &f, &value, sizeof value));
    cr_assert(recv.done && recv.err == HWS_OK);
    cr_assert_eq(got, value);
}

/* The connection is ended by the engine and the peer with it; nothing else. */
static void assert_peer_lost(void)
{
    cr_assert(stranger_is_closed(&s));
    cr_assert_eq(s.n_lost, 1);
}

Test(protocol, the_right_hello_gets_in)
{
    assert_job_goes_on();
}

Test(protocol, garbage_is_closed_without_a_word)
{
    static const char *const texts[] = {"GET / HTTP/1.0\r\n\r\n", "HAWSER\r\n", "\x16\x03\x01"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(texts); i++) {
        char bytes[HWS_HELLO_LEN] = {0};
        memcpy(bytes, texts[i], strlen(texts[i]));
        cr_assert(stranger_dial(&s));
        stranger_say(&s, bytes, sizeof bytes);
        uint8_t answer[8];
        cr_assert_lt(stranger_hear(&s, answer, sizeof answer), 0, "no byte of an answer");
    }
    assert_job_goes_on();
}

Test(protocol, a_hello_for_another_job_rank_or_version_is_refused)
{
    struct hws_hello right = stranger_hello(&s), wrong[8];
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++)
        wrong[i] = right;
    wrong[0].from_job++;
    wrong[1].to = 1;
    wrong[2].from = 0; /* the engine itself */
    wrong[3].from = 2; /* no such rank */
    wrong[4].from = UINT32_MAX;
    wrong[5].kind = HWS_CHALLENGE;
    wrong[6].to_job++;
    wrong[7].from_job = ++wrong[7].to_job;
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++) {
        cr_assert(stranger_dial(&s));
        cr_assert_not(stranger_greet(&s, &wrong[i]), "hello %zu", i);
        cr_assert(stranger_is_closed(&s), "hello %zu", i);
    }
    cr_assert(stranger_dial(&s));
    hws_hello_encode(s.hello, &right);
    s.hello[8]++; /* version */
    stranger_say(&s, s.hello, sizeof s.hello);
    cr_assert(stranger_is_closed(&s));
    assert_job_goes_on();
}

Test(protocol, a_wrong_secret_is_refused)
{
    struct hws_hello h = stranger_hello(&s);
    unsigned char secret[32];
    memcpy(secret, s.cfg.secret, sizeof secret);
    secret[31] ^= 1;
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h));
    cr_assert_lt(stranger_prove(&s, secret, "dialer"), 0);
    cr_assert(stranger_is_closed(&s));
    assert_job_goes_on();
}

Test(protocol, the_engines_own_mac_sent_back_is_no_proof)
{
    struct hws_hello h = stranger_hello(&s);
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h));
    cr_assert_lt(stranger_prove(&s, s.cfg.secret, "acceptor"), 0);
    uint8_t proof[HWS_PROOF_LEN];
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h));
    hws_proof_encode(proof, s.challenge + HWS_HELLO_LEN);
    stranger_say(&s, proof, sizeof proof);
    cr_assert(stranger_is_closed(&s));
    assert_job_goes_on();
}

Test(protocol, a_proof_cannot_be_replayed)
{
    struct hws_hello h = stranger_hello(&s);
    uint8_t mac[HWS_MAC_LEN], proof[HWS_PROOF_LEN];
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h));
    hws_auth_mac(s.cfg.secret, "dialer", s.hello, s.challenge, mac);
    hws_proof_encode(proof, mac);
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h), "the same hello, a new challenge");
    stranger_say(&s, proof, sizeof proof);
    cr_assert(stranger_is_closed(&s));
    assert_job_goes_on();
}

Test(protocol, frames_before_the_proof_are_refused)
{
    struct hws_hello h = stranger_hello(&s);
    uint8_t frame[HWS_PROOF_LEN] = {HWS_FRAME_EAGER};
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h));
    stranger_say(&s, frame, sizeof frame);
    cr_assert(stranger_is_closed(&s));
    assert_job_goes_on();
}

Test(protocol, a_second_connection_of_a_connected_peer_is_a_duplicate)
{
    struct hws_hello h = stranger_hello(&s);
    cr_assert(stranger_connect(&s));
    struct hws_link *first = s.link;
    s.link = NULL;
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h));
    cr_assert_eq(stranger_prove(&s, s.cfg.secret, "dialer"), HWS_VERDICT_DUPLICATE);
    cr_assert(stranger_is_closed(&s));
    cr_assert_eq(s.n_lost, 0);
    hws_link_close(s.link);
    s.link = first;
    cr_assert_not(stranger_is_closed(&s));
}

Test(protocol, half_open_connections_are_bounded)
{
    enum { MANY = 300 };
    static struct hws_link *links[MANY];
    int n_open = 0;
    for (int i = 0; i < MANY; i++) {
        cr_assert(stranger_dial(&s));
        links[i] = s.link;
        s.link = NULL;
    }
    for (int i = 0; i < MANY; i++) {
        s.link = links[i];
        n_open += !stranger_is_closed(&s);
        hws_link_close(s.link);
        s.link = NULL;
    }
    cr_assert_leq(n_open, 64 + 2);
    cr_assert_gt(n_open, 0);
    assert_job_goes_on();
}

static struct hws_transport *other;

/* Connections of other processes, from another host or the same; each says HELLO, or nothing. */
static void flood(struct hws_link **links, int n, bool from_other, bool says_hello)
{
    struct stranger f = s;
    struct hws_hello h = stranger_hello(&s);
    f.transport = from_other ? other : s.transport;
    for (int i = 0; i < n; i++) {
        f.link = NULL;
        cr_assert(stranger_dial(&f));
        links[i] = f.link;
        if (says_hello)
            stranger_greet(&f, &h); /* or it is cut off */
    }
}

/* Its hello was half over before all others came. */
static void assert_gets_in_beside(bool from_other, bool says_hello)
{
    enum { MANY = 300 };
    static struct hws_link *links[MANY];
    struct hws_hello h = stranger_hello(&s);
    cr_assert(stranger_dial(&s) && stranger_greet(&s, &h));
    flood(links, MANY, from_other, says_hello);
    cr_assert_eq(stranger_prove(&s, s.cfg.secret, "dialer"), HWS_VERDICT_WELCOME);
    for (int i = 0; i < MANY; i++)
        hws_link_close(links[i]);
}

Test(protocol, half_open_connections_that_say_nothing_do_not_push_others_out)
{
    assert_gets_in_beside(false, false);
}

Test(protocol, half_open_connections_of_one_host_do_not_push_those_of_others_out)
{
    char err[64];
    teardown();
    virtual_begin();
    cr_assert(stranger_open_net(&s, &(struct hws_mem_faults){.close_nth_link = -1, .tells_health = true}));
    cr_assert_eq(hws_mem_open(hws_mem_net_place(s.net, 2), NULL, &other, err, sizeof err), HWS_OK);
    assert_gets_in_beside(true, true);
}

/* ---- after the hello ---- */

Test(protocol, frames_that_break_a_rule_lose_the_peer)
{
    static const struct hws_frame wrong[] = {
        {.type = HWS_FRAME_CTS, .send_handle = 1},
        {.type = HWS_FRAME_ACK, .send_handle = UINT64_MAX},
        {.type = HWS_FRAME_BULK, .recv_handle = 1ull << 32, .len = 4},
        {.type = HWS_FRAME_EAGER, .len = HWS_FRAME_MAX_LEN + 1},
        {.type = HWS_FRAME_EAGER, .tag = -1},
        {.type = HWS_FRAME_RTS, .len = 10, .msg_len = 9},
        {.type = HWS_FRAME_CREDIT, .len = 1},
        {.type = HWS_FRAME_BYE, .len = 1},
    };
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++) {
        cr_assert(stranger_connect(&s), "frame %zu", i);
        stranger_frame(&s, &wrong[i], NULL, 0);
        cr_assert(stranger_is_closed(&s), "frame %zu", i);
        cr_assert_eq(s.n_lost, 1, "frame %zu", i);
        teardown();
        setup();
    }
}

Test(protocol, an_unknown_type_or_a_reserved_byte_loses_the_peer)
{
    static const uint8_t wrong[][HWS_FRAME_PREFIX] = {
        {0}, {HWS_FRAME_TYPES}, {255}, {HWS_FRAME_CREDIT, 2}, {HWS_FRAME_CREDIT, 0, 1}};
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++) {
        cr_assert(stranger_connect(&s));
        stranger_say(&s, wrong[i], sizeof wrong[i]);
        cr_assert(stranger_is_closed(&s), "prefix %zu", i);
        cr_assert_eq(s.n_lost, 1, "prefix %zu", i);
        teardown();
        setup();
    }
}

/* A newer version may send it: the reason that the user reads names the kind. */
Test(protocol, the_reason_names_an_unknown_kind)
{
    static const uint8_t unknown[HWS_FRAME_PREFIX] = {HWS_FRAME_TYPES + 1};
    char expect[80];
    cr_assert(stranger_connect(&s));
    stranger_say(&s, unknown, sizeof unknown);
    assert_peer_lost();
    snprintf(expect, sizeof expect, "rank 1 sent a frame of kind %d (unknown), which nothing here takes",
             HWS_FRAME_TYPES + 1);
    cr_expect_str_eq(hws_engine_peer_reason(s.engine, 1), expect);
}

/* ---- frames of rooms above the engine ---------------------------------------------------------------------------- */

static unsigned n_taken;

static int take_even(void *arg, int peer, uint8_t kind, const void *bytes, size_t len)
{
    uint8_t first = len ? *(const uint8_t *)bytes : 0;
    cr_assert(arg == &n_taken && peer == 1 && kind == HWS_FRAME_LEFT);
    n_taken += first % 2 == 0;
    return first % 2 ? HWS_EPROTO : HWS_OK;
}

static void take_frames(void)
{
    static const struct hws_kinds k = {HWS_FRAME_LEFT, HWS_FRAME_LEFT, take_even, &n_taken};
    n_taken = 0;
    cr_assert_eq(hws_engine_take_kinds(s.engine, &k), HWS_OK);
    cr_assert(stranger_connect(&s));
}

Test(protocol, a_room_gets_its_frames_behind_a_bye_too)
{
    uint8_t even[HWS_ROOM_PAYLOAD] = {2};
    struct hws_frame f = {.type = HWS_FRAME_LEFT, .len = sizeof even}, none = {.type = HWS_FRAME_LEFT},
                     bye = {.type = HWS_FRAME_BYE};
    take_frames();
    cr_assert(stranger_frame(&s, &f, even, sizeof even));
    cr_assert(stranger_frame(&s, &none, NULL, 0));
    cr_expect_eq(n_taken, 2);
    cr_assert(stranger_frame(&s, &bye, NULL, 0));
    cr_assert(stranger_frame(&s, &f, even, sizeof even));
    cr_expect_eq(n_taken, 3);
    cr_expect_eq(s.n_lost, 0);
}

Test(protocol, what_a_room_refuses_loses_the_peer)
{
    uint8_t odd[5] = {3};
    struct hws_frame f = {.type = HWS_FRAME_LEFT, .len = sizeof odd};
    take_frames();
    stranger_frame(&s, &f, odd, sizeof odd);
    assert_peer_lost();
    cr_expect_eq(n_taken, 0);
    cr_expect_not_null(strstr(hws_engine_peer_reason(s.engine, 1), "frame of kind 14 (LEFT) that is none"));
}

Test(protocol, a_kind_that_nothing_takes_loses_the_peer)
{
    struct hws_frame f = {.type = HWS_FRAME_LEFT, .len = 4};
    cr_assert(stranger_connect(&s));
    stranger_frame(&s, &f, "abcd", 4);
    assert_peer_lost();
    cr_expect_str_eq(hws_engine_peer_reason(s.engine, 1),
                     "rank 1 sent a frame of kind 14 (LEFT), which nothing here takes");
}

Test(protocol, a_frame_of_a_room_that_is_too_long_loses_the_peer)
{
    struct hws_frame f = {.type = HWS_FRAME_LEFT, .len = HWS_ROOM_PAYLOAD + 1};
    take_frames();
    stranger_frame(&s, &f, NULL, 0);
    assert_peer_lost();
}

Test(protocol, a_sequence_number_twice_loses_the_peer)
{
    struct hws_frame f = {.type = HWS_FRAME_EAGER, .seq = 0};
    cr_assert(stranger_connect(&s));
    cr_assert(stranger_frame(&s, &f, NULL, 0));
    cr_assert_eq(s.n_lost, 0);
    stranger_frame(&s, &f, NULL, 0);
    assert_peer_lost();
}

/* The next frame without payload that the engine sends, but for credit: a new peer is granted more as soon as it is
 * connected. */
static struct hws_frame hear_frame(void)
{
    uint8_t bytes[HWS_FRAME_MAX_HDR];
    struct hws_frame f = {.type = HWS_FRAME_TYPES};
    size_t at = 0;
    int len;
    do {
        cr_assert_eq(stranger_hear(&s, bytes + at, 1), 1);
        len = hws_frame_decode(bytes, ++at, &f);
        cr_assert_geq(len, 0);
        if (len > 0)
            at = 0;
    } while (len == 0 || f.type == HWS_FRAME_CREDIT);
    return f;
}

/* Has the engine receive a long message; returns the handle that its CTS names. */
static uint64_t begin_long(struct hws_recv_op *recv, uint8_t *buf, size_t room, uint64_t msg_len)
{
    *recv = (struct hws_recv_op){.data = {buf, room, NULL}, .peer = 1, .tag = 1};
    hws_engine_recv(s.engine, recv);
    struct hws_frame rts = {.type = HWS_FRAME_RTS, .tag = 1, .msg_len = msg_len, .send_handle = 99};
    cr_assert(stranger_connect(&s));
    cr_assert(stranger_frame(&s, &rts, NULL, 0));
    struct hws_frame cts = hear_frame();
    cr_assert(cts.type == HWS_FRAME_CTS && cts.send_handle == 99);
    cr_assert_eq(cts.msg_len, msg_len < room ? msg_len : room);
    return cts.recv_handle;
}

Test(protocol, bulk_outside_what_the_cts_allowed_loses_the_peer)
{
    static const struct {
        uint64_t offset;
        uint32_t len;
    } wrong[] = {{0, 101}, {100, 1}, {99, 2}, {UINT64_MAX - 3, 3}, {1ull << 40, 50}, {50, 0}};
    static uint8_t payload[256];
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++) {
        uint8_t buf[101] = {[100] = 0xee};
        struct hws_recv_op recv;
        uint64_t handle = begin_long(&recv, buf, 100, 5000);
        struct hws_frame f = {.type = HWS_FRAME_BULK, .recv_handle = handle};
        f.offset = wrong[i].offset;
        f.len = wrong[i].len;
        stranger_frame(&s, &f, payload, wrong[i].len);
        assert_peer_lost();
        cr_assert(recv.done && recv.err != HWS_OK);
        cr_assert_eq(buf[100], 0xee);
        teardown();
        setup();
    }
}

/* The stranger is connected and told of a message of 600000 bytes; the handle that its answer must name. */
static uint64_t start_long(struct hws_send_op *send)
{
    static uint8_t big[600000];
    *send = (struct hws_send_op){.data = {big, sizeof big, NULL}, .peer = 1, .tag = 1};
    cr_assert(stranger_connect(&s));
    hws_engine_send(s.engine, send);
    stranger_settle(&s);
    struct hws_frame rts = hear_frame();
    cr_assert_eq(rts.type, HWS_FRAME_RTS);
    return rts.send_handle;
}

Test(protocol, bulk_twice_over_cannot_complete_a_receive_early)
{
    static uint8_t payload[60];
    uint8_t buf[100];
    struct hws_recv_op recv;
    uint64_t handle = begin_long(&recv, buf, sizeof buf, sizeof buf);
    struct hws_frame f = {.type = HWS_FRAME_BULK, .recv_handle = handle, .len = 60};
    cr_assert(stranger_frame(&s, &f, payload, 60));
    cr_assert_not(recv.done);
    stranger_frame(&s, &f, payload, 60);
    assert_peer_lost();
    cr_assert(recv.done && recv.err != HWS_OK);
}

Test(protocol, a_handle_dies_with_its_receive)
{
    static uint8_t payload[100];
    uint8_t buf[100];
    struct hws_recv_op recv;
    uint64_t handle = begin_long(&recv, buf, sizeof buf, sizeof buf);
    struct hws_frame f = {.type = HWS_FRAME_BULK, .recv_handle = handle, .len = 100};
    cr_assert(stranger_frame(&s, &f, payload, 100));
    cr_assert(recv.done && recv.err == HWS_OK);
    stranger_frame(&s, &f, payload, 100);
    assert_peer_lost();
}

Test(protocol, a_handle_of_the_other_kind_loses_the_peer)
{
    uint8_t buf[100];
    struct hws_send_op send;
    struct hws_recv_op recv;
    struct hws_frame bulk = {.type = HWS_FRAME_BULK, .recv_handle = start_long(&send), .len = 4};
    stranger_frame(&s, &bulk, "abcd", 4);
    assert_peer_lost();
    cr_assert(send.done && send.err != HWS_OK);
    teardown();
    setup();
    struct hws_frame cts = {.type = HWS_FRAME_CTS, .send_handle = begin_long(&recv, buf, sizeof buf, 5000)};
    stranger_frame(&s, &cts, NULL, 0);
    assert_peer_lost();
    cr_assert(recv.done && recv.err != HWS_OK);
}

Test(protocol, a_cts_for_more_than_the_message_loses_the_peer)
{
    struct hws_send_op send;
    uint64_t handle = start_long(&send);
    struct hws_frame cts = {.type = HWS_FRAME_CTS, .send_handle = handle, .msg_len = send.data.len_bytes + 1};
    stranger_frame(&s, &cts, NULL, 0);
    assert_peer_lost();
    cr_assert(send.done && send.err != HWS_OK);
}

Test(protocol, an_ack_for_another_kind_of_send_loses_the_peer)
{
    struct hws_send_op send;
    struct hws_frame ack = {.type = HWS_FRAME_ACK, .send_handle = start_long(&send)};
    stranger_frame(&s, &ack, NULL, 0);
    assert_peer_lost();
    cr_assert(send.done && send.err != HWS_OK, "600000 bytes of which nobody has taken the rest are not sent");
}

Test(protocol, a_peer_cannot_overdraw_its_credit_for_ever)
{
    static uint8_t payload[16384];
    cr_assert(stranger_connect(&s));
    struct hws_frame f = {.type = HWS_FRAME_EAGER, .len = sizeof payload};
    uint64_t limit = s.cfg.params.unexpected + (64 << 20);
    struct hws_counter all[64];
    for (uint64_t sent = 0; sent < limit; sent += sizeof payload, f.seq++)
        if (!stranger_frame(&s, &f, payload, sizeof payload))
            break;
    size_t n = hws_engine_counters(s.engine, all, 64);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].name, "unexpected_peak") == 0)
            cr_assert_leq(all[i].value, s.cfg.params.unexpected + (2 << 20));
    assert_peer_lost();
}
