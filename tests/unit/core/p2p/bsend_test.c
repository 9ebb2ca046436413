/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffered sends: room, order, waiting for what has not left, buffers of communicators, automatic ones.
 */
#include "setup.h"

#include <stdlib.h>

TestSuite(bsend, .init = p2p_setup);

#define ROOM(n, bytes) ((n) * ((bytes) + MPI_BSEND_OVERHEAD))

Test(bsend, none_attached)
{
    int v = 0;
    void *p;
    check_error(MPI_Bsend(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER,
                "MPI_Bsend: MPI_ERR_BUFFER: no buffer is attached for buffered sends (MPI_Buffer_attach)");
    check_error(MPI_Buffer_detach(&p, &v), MPI_ERR_BUFFER, "MPI_Buffer_detach: MPI_ERR_BUFFER: no buffer is attached");
    cr_assert_eq(MPI_Buffer_flush(), MPI_SUCCESS);
}

/* As much as the standard promises fits, wherever the buffer begins. */
Test(bsend, promised_room_is_enough_at_any_alignment)
{
    char data[100], *room = malloc(ROOM(3, 100) + 16);
    for (int shift = 0; shift < 16; shift++) {
        void *p;
        int size = 0;
        fake.sends = FAKE_HELD;
        cr_assert_eq(MPI_Buffer_attach(room + shift, ROOM(3, 100)), MPI_SUCCESS);
        for (int i = 0; i < 3; i++)
            cr_assert_eq(MPI_Bsend(data, 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS, "message %d, shift %d", i,
                         shift);
        int rc = MPI_Bsend(data, 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        if (shift == 0)
            while (rc == MPI_SUCCESS) /* headers are smaller than promised, so some more may fit, but not many */
                rc = MPI_Bsend(data, 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        fake_release_sends();
        cr_assert_eq(MPI_Buffer_detach(&p, &size), MPI_SUCCESS);
        cr_expect_eq(p, room + shift);
        cr_expect_eq(size, ROOM(3, 100));
    }
    free(room);
}

Test(bsend, full_buffer_is_an_error_and_room_comes_back)
{
    static char room[ROOM(1, 1000)], data[1000];
    fake.sends = FAKE_HELD;
    cr_assert_eq(MPI_Buffer_attach(room, sizeof(room)), MPI_SUCCESS);
    cr_assert_eq(MPI_Bsend(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    check_error(MPI_Bsend(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER,
                "MPI_Bsend: MPI_ERR_BUFFER: no room in the attached buffer: the message takes 1000 bytes and "
                "MPI_BSEND_OVERHEAD, the buffer has 1512 bytes and holds 1 messages that have not left yet");
    fake_release_sends();
    cr_assert_eq(MPI_Bsend(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    check_error(MPI_Buffer_attach(room, sizeof(room)), MPI_ERR_BUFFER,
                "MPI_Buffer_attach: MPI_ERR_BUFFER: invalid buffer: another one is attached already");
}

Test(bsend, short_messages_do_not_take_the_overhead)
{
    static char room[2000];
    int v[10] = {0};
    fake.sends = FAKE_HELD;
    cr_assert_eq(MPI_Buffer_attach(room, sizeof(room)), MPI_SUCCESS);
    for (int i = 0; i < 10; i++)
        cr_assert_eq(MPI_Bsend(v, 10, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS, "message %d", i);
    fake_release_sends();
}

Test(bsend, gaps_are_used_again)
{
    static char room[ROOM(8, 200)], data[200];
    cr_assert_eq(MPI_Buffer_attach(room, sizeof(room)), MPI_SUCCESS);
    for (int i = 0; i < 100; i++) {
        data[0] = (char)i;
        fake.sends = i % 3 ? FAKE_NEXT_STEP : FAKE_QUIET;
        cr_assert_eq(MPI_Bsend(data, 1 + i * 37 % 200, MPI_CHAR, 0, i, MPI_COMM_WORLD), MPI_SUCCESS, "message %d", i);
        if (i % 6 == 5)
            hws_engine_progress(NULL);
    }
    for (int i = 0; i < 100; i++) {
        cr_expect_eq(fake.sent[i].tag, i);
        cr_expect_eq(fake.sent[i].bytes[0], i);
        cr_expect_eq(fake.sent[i].mode, HWS_BUFFERED);
    }
}

Test(bsend, detach_waits_for_what_has_not_left)
{
    static char room[ROOM(2, 4)];
    int v = 3, size;
    void *p;
    fake.sends = FAKE_NEXT_STEP;
    cr_assert_eq(MPI_Buffer_attach(room, sizeof(room)), MPI_SUCCESS);
    cr_assert_eq(MPI_Bsend(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    v = 4;
    cr_expect_eq(fake.steps, 0);
    cr_assert_eq(MPI_Buffer_detach(&p, &size), MPI_SUCCESS);
    cr_expect_gt(fake.steps, 0);
    cr_expect_eq(fake.sent[0].bytes[0], 3);
}

Test(bsend, ibsend_is_complete_at_once_and_iflush_is_not)
{
    static char room[ROOM(2, 4)];
    int v = 3, flag = 0;
    MPI_Request r, f, g;
    fake.sends = FAKE_HELD;
    cr_assert_eq(MPI_Buffer_attach(room, sizeof(room)), MPI_SUCCESS);
    cr_assert_eq(MPI_Ibsend(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_SUCCESS);
    cr_assert_eq(MPI_Buffer_iflush(&f), MPI_SUCCESS);
    cr_assert_eq(MPI_Test(&r, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect(flag);
    cr_assert_eq(MPI_Test(&f, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect_not(flag);
    fake_release_sends();
    cr_assert_eq(MPI_Wait(&f, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_assert_eq(MPI_Buffer_iflush(&g), MPI_SUCCESS);
    cr_assert_eq(MPI_Test(&g, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect(flag, "nothing to flush");
}

Test(bsend, automatic_buffers_need_no_room)
{
    static char data[100000];
    void *p = NULL;
    int size = 5;
    fake.sends = FAKE_NEXT_STEP;
    cr_assert_eq(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0), MPI_SUCCESS);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(MPI_Bsend(data, sizeof(data), MPI_CHAR, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_assert_eq(MPI_Buffer_detach(&p, &size), MPI_SUCCESS);
    cr_expect_eq(p, MPI_BUFFER_AUTOMATIC);
    cr_expect_eq(size, 0);
}

Test(bsend, a_communicator_has_its_own_buffer)
{
    static char room[ROOM(1, 4)], own[ROOM(1, 4)];
    int v = 3;
    MPI_Count size;
    void *p;
    fake.sends = FAKE_HELD;
    cr_assert_eq(MPI_Buffer_attach(room, sizeof(room)), MPI_SUCCESS);
    cr_assert_eq(MPI_Comm_attach_buffer_c(MPI_COMM_WORLD, own, sizeof(own)), MPI_SUCCESS);
    cr_assert_eq(MPI_Bsend(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_assert_eq(MPI_Bsend(&v, 1, MPI_INT, 0, 0, MPI_COMM_SELF), MPI_SUCCESS);
    fake_release_sends();
    cr_assert_eq(MPI_Comm_flush_buffer(MPI_COMM_WORLD), MPI_SUCCESS);
    cr_assert_eq(MPI_Comm_detach_buffer_c(MPI_COMM_WORLD, &p, &size), MPI_SUCCESS);
    cr_expect_eq(p, own);
    cr_expect_eq(size, sizeof(own));
}

Test(bsend, wrong_arguments)
{
    char c;
    check_error(MPI_Buffer_attach(&c, -4), MPI_ERR_ARG,
                "MPI_Buffer_attach: MPI_ERR_ARG: invalid size: argument size is -4, it must not be negative");
    check_error(
        MPI_Buffer_attach(NULL, 4), MPI_ERR_BUFFER,
        "MPI_Buffer_attach: MPI_ERR_BUFFER: invalid buffer: argument buffer is a null pointer, but the size is 4");
    check_error(MPI_Comm_flush_buffer(MPI_COMM_NULL), MPI_ERR_COMM,
                "MPI_Comm_flush_buffer: MPI_ERR_COMM: invalid communicator: argument comm is MPI_COMM_NULL");
}
