/* SPDX-License-Identifier: BSD-3-Clause
 *
 * error_test: codes and their texts, word for word; classes that a program adds; the ring of sentences.
 */
#include "core/comm/raise.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/object/errhandler.h"
#include "core/object/error_class.h"
#include "core/object/world.h"

static char text[MPI_MAX_ERROR_STRING];
static int len;

static const char *string_of(int code)
{
    cr_assert_eq(hws_error_string(code, text, &len), MPI_SUCCESS, "code %d", code);
    cr_assert_eq(len, (int)strlen(text));
    return text;
}

static int class_of(int code)
{
    int cls = -1;
    cr_assert_eq(hws_error_class(code, &cls), MPI_SUCCESS, "code %d", code);
    return cls;
}

static void begin(void)
{
    hws_world.rank = 2;
    strcpy(hws_world.host, "h1");
}

TestSuite(error, .init = begin);

Test(error, a_code_carries_class_and_whole_sentence)
{
    int rc = hws_fail(MPI_ERR_TAG, "invalid tag: argument tag is %d, it must be 0 to %d", -5, 2147483647);
    cr_assert_eq(rc, MPI_ERR_TAG);
    int code = hws_error_code("MPI_Send", rc);
    cr_expect_neq(code, MPI_ERR_TAG);
    cr_expect_eq(class_of(code), MPI_ERR_TAG);
    cr_expect_str_eq(string_of(code),
                     "rank 2 on host h1: MPI_Send: MPI_ERR_TAG: invalid tag: argument tag is -5, it must be "
                     "0 to 2147483647");
}

Test(error, a_class_without_sentence_has_its_general_text)
{
    cr_expect_str_eq(string_of(MPI_ERR_TAG), "MPI_ERR_TAG: invalid tag");
    cr_expect_str_eq(string_of(MPI_SUCCESS), "MPI_SUCCESS: no error");
    int code = hws_error_code("MPI_Recv", MPI_ERR_TRUNCATE);
    cr_expect_str_eq(string_of(code),
                     "rank 2 on host h1: MPI_Recv: MPI_ERR_TRUNCATE: message longer than the receive buffer");
}

Test(error, a_sentence_is_used_once_and_for_its_class_only)
{
    hws_fail(MPI_ERR_TAG, "about a tag");
    int code = hws_error_code("MPI_Send", MPI_ERR_RANK);
    cr_expect_str_eq(string_of(code), "rank 2 on host h1: MPI_Send: MPI_ERR_RANK: invalid rank");
    code = hws_error_code("MPI_Send", MPI_ERR_TAG);
    cr_expect_str_eq(string_of(code), "rank 2 on host h1: MPI_Send: MPI_ERR_TAG: invalid tag");
}

Test(error, old_codes_keep_their_class)
{
    int codes[HWS_ERROR_RING + 10];
    for (int i = 0; i < HWS_ERROR_RING + 10; i++)
        codes[i] = hws_error_code("MPI_Send", hws_fail(MPI_ERR_COUNT, "number %d", i));
    cr_expect_str_eq(string_of(codes[0]), "MPI_ERR_COUNT: invalid count");
    cr_expect_eq(class_of(codes[0]), MPI_ERR_COUNT);
    cr_expect_str_eq(string_of(codes[10]), "rank 2 on host h1: MPI_Send: MPI_ERR_COUNT: number 10");
    for (int i = 0; i < 20000; i++) /* instances come round */
        hws_error_code("MPI_Send", MPI_ERR_COUNT);
    cr_expect_eq(class_of(codes[10]), MPI_ERR_COUNT);
}

Test(error, an_own_code_passes_unchanged)
{
    int code = hws_error_code("MPI_Isend", hws_fail(MPI_ERR_COMM, "first"));
    cr_expect_eq(hws_error_code("MPI_Wait", code), code);
}

Test(error, every_class_has_name_and_text)
{
    for (int cls = 0; cls <= MPI_ERR_ABI; cls++)
        cr_expect_not_null(hws_class_name(cls), "class %d", cls);
    for (int cls = MPI_T_ERR_CANNOT_INIT; cls <= MPI_T_ERR_PVAR_NO_ATOMIC; cls++)
        cr_expect_not_null(hws_class_name(cls), "class %d", cls);
    int cls;
    cr_expect_eq(hws_error_class(MPI_ERR_ABI + 1, &cls), MPI_ERR_ARG);
    cr_expect_eq(hws_error_class(-1, &cls), MPI_ERR_ARG);
    cr_expect_eq(hws_error_string(12345, text, &len), MPI_ERR_ARG);
}

Test(error, internal_codes_have_classes)
{
    cr_expect_eq(hws_fail_err(HWS_ETRUNCATE, NULL), MPI_ERR_TRUNCATE);
    cr_expect_eq(hws_fail_err(HWS_ENOMEM, NULL), MPI_ERR_NO_MEM);
    cr_expect_eq(hws_fail_err(HWS_EPEERDEAD, NULL), MPI_ERR_PROC_ABORTED);
    cr_expect_eq(hws_fail_err(HWS_OK, NULL), MPI_SUCCESS);
    int code = hws_error_code("MPI_Recv", hws_fail_err(HWS_EUNREACHABLE, "no route to rank 3"));
    cr_expect_str_eq(string_of(code), "rank 2 on host h1: MPI_Recv: MPI_ERR_OTHER: no route to rank 3");
}

Test(error, programs_add_and_remove_classes_codes_and_strings)
{
    int cls, code, more, before = hws_code_last_used();
    cr_assert_eq(before, MPI_ERR_LASTCODE);
    cr_assert_eq(hws_class_add(&cls), MPI_SUCCESS);
    cr_expect_eq(cls, MPI_ERR_LASTCODE + 1);
    cr_assert_eq(hws_code_add(cls, &code), MPI_SUCCESS);
    cr_assert_eq(hws_code_add(MPI_ERR_IO, &more), MPI_SUCCESS);
    cr_expect_eq(hws_code_last_used(), more);
    cr_expect_eq(class_of(cls), cls);
    cr_expect_eq(class_of(code), cls);
    cr_expect_eq(class_of(more), MPI_ERR_IO);
    cr_expect_str_eq(string_of(code), "");
    cr_assert_eq(hws_code_add_string(code, "the pump is dry"), MPI_SUCCESS);
    cr_expect_str_eq(string_of(code), "the pump is dry");
    cr_expect_eq(hws_class_remove(cls), MPI_ERR_ARG, "a code still names it");
    cr_expect_eq(hws_code_remove(code), MPI_ERR_ARG, "it still has a string");
    cr_expect_eq(hws_code_remove_string(code), MPI_SUCCESS);
    cr_expect_eq(hws_code_remove_string(code), MPI_ERR_ARG);
    cr_expect_eq(hws_code_remove(code), MPI_SUCCESS);
    cr_expect_eq(hws_class_remove(cls), MPI_SUCCESS);
    cr_expect_eq(hws_code_remove(more), MPI_SUCCESS);
    cr_expect_eq(hws_code_last_used(), before);
    cr_expect_eq(hws_code_add(cls, &code), MPI_ERR_ARG);
    cr_expect_eq(hws_code_add_string(MPI_ERR_IO, "x"), MPI_ERR_ARG);
}

static int seen_code;
static MPI_Comm seen_comm;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    seen_comm = *comm;
    seen_code = *code;
}

Test(error, a_users_handler_gets_object_and_code)
{
    struct hws_errhandler *e = hws_errhandler_new(HWS_KIND_COMM);
    e->fn.comm = on_error;
    int code =
        hws_raise_on(e, HWS_KIND_COMM, MPI_COMM_SELF, "MPI_Bcast", hws_fail(MPI_ERR_ROOT, "invalid root: it is 9"));
    cr_expect_eq(seen_code, code);
    cr_expect_eq(seen_comm, MPI_COMM_SELF);
    cr_expect_eq(class_of(code), MPI_ERR_ROOT);
    cr_expect_eq(hws_raise_on(e, HWS_KIND_COMM, MPI_COMM_SELF, "MPI_Bcast", 777777), 777777, "a callback's own value");
    cr_expect_eq(seen_code, 777777);
    hws_errhandler_drop(e);
}

static void *fail_elsewhere(void *arg)
{
    hws_fail(MPI_ERR_TAG, "in the other thread");
    return arg;
}

Test(error, sentences_belong_to_threads)
{
    pthread_t t;
    hws_fail(MPI_ERR_TAG, "in this thread");
    pthread_create(&t, NULL, fail_elsewhere, NULL);
    pthread_join(t, NULL);
    cr_expect_str_eq(string_of(hws_error_code("MPI_Send", MPI_ERR_TAG)),
                     "rank 2 on host h1: MPI_Send: MPI_ERR_TAG: in this thread");
}

Test(error, a_fatal_error_ends_the_process, .exit_code = 1)
{
    hws_raise_on(&hws_errors_are_fatal, HWS_KIND_COMM, MPI_COMM_SELF, "MPI_Send", MPI_ERR_TAG);
}
