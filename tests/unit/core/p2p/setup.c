/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup.h"

#include "mpi/session.h"

#include <stdio.h>

#include "core/comm/raise.h"
#include "core/object/errhandler.h"
#include "core/object/error_class.h"
#include "core/object/world.h"

void p2p_setup(void)
{
    fake_reset(ME, SIZE);
    hws_world.rank = ME;
    hws_world.size = SIZE;
    hws_world.thread_level = MPI_THREAD_SINGLE;
    atomic_store(&hws_world.initialized, 1);
    atomic_store(&hws_world.model, HWS_MODEL_UP);
    strcpy(hws_world.host, "h");
    cr_assert_eq(hws_comm_begin_predefined(), MPI_SUCCESS);
    hws_errhandler_set(&hws_comm_world.errhandler, &hws_errors_return);
    hws_errhandler_set(&hws_comm_self.errhandler, &hws_errors_return);
}

uint32_t p2p_ctx(void)
{
    return hws_comm_world.ctx + HWS_CTX_P2P;
}

void p2p_check_error(int code, int cls, const char *line)
{
    char text[MPI_MAX_ERROR_STRING], want[MPI_MAX_ERROR_STRING];
    int got, len;
    cr_assert_eq(hws_error_class(code, &got), MPI_SUCCESS);
    cr_expect_eq(got, cls, "class is %d, not %d", got, cls);
    cr_assert_eq(hws_error_string(code, text, &len), MPI_SUCCESS);
    snprintf(want, sizeof(want), "rank 1 on host h: %s", line);
    cr_expect_str_eq(text, want);
}

/* Sessions bring the whole engine with them; here there are none. */
int hws_check_session(MPI_Session h, struct hws_session **out)
{
    (void)h;
    *out = NULL;
    return hws_fail(MPI_ERR_SESSION, "invalid session: there are none in this test");
}

int hws_raise_session(struct hws_session *s, const char *fn, int rc)
{
    (void)s;
    return hws_raise(NULL, fn, rc);
}
