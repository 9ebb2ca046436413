/* SPDX-License-Identifier: BSD-3-Clause
 *
 * raise: which error handler an error goes to.
 */
#include "core/comm/raise.h"

#include <stdatomic.h>
#include <stdio.h>

#include "core/comm/comm.h"
#include "core/object/errhandler.h"
#include "core/object/error_class.h"
#include "core/object/launcher.h"
#include "core/object/world.h"

int hws_raise_on(struct hws_errhandler *e, enum hws_kind of, void *handle, const char *fn, int rc)
{
    char line[MPI_MAX_ERROR_STRING];
    if (rc == MPI_SUCCESS)
        return rc;
    int code = hws_error_make(line, sizeof line, fn, rc);
    hws_errhandler_call(e, of, handle, code, line);
    return code;
}

/* Where errors without an object go: to MPI_COMM_SELF (MPI 5.0 section 9.3). Before MPI 4.0 it was MPI_COMM_WORLD, and
 * many programs still set the handler of that one only: theirs is respected as long as nobody has touched
 * MPI_COMM_SELF's. */
static struct hws_comm *common_object(void)
{
    return hws_comm_self.errhandler == hws_errhandler_initial() ? &hws_comm_world : &hws_comm_self;
}

int hws_raise_error(struct hws_comm *c, const char *fn, int rc)
{
    if (!c && atomic_load(&hws_world.model) == HWS_MODEL_UP)
        c = common_object();
    if (!c || !c->errhandler)
        return hws_raise_on(hws_errhandler_initial(), HWS_KIND_COMM, MPI_COMM_SELF, fn, rc);
    return hws_raise_on(c->errhandler, HWS_KIND_COMM, hws_comm_handle(c), fn, rc);
}

/* Where MPI_COMM_WORLD's errors are the program's own affair, a line has to do. */
void hws_raise_lost(int peer, enum hws_err why, const char *text)
{
    if (why == HWS_OK || why == HWS_ECANCELLED)
        return;
    char line[MPI_MAX_ERROR_STRING];
    const char *name = hws_class_name(hws_fail_err(why, text));
    hws_fail_drop();
    snprintf(line, sizeof line, "rank %d on host %s: %s: messages to %s whose sends were complete are lost: %s",
             hws_world.rank, hws_world.host, name, hws_world_peer_name(peer), text);
    const struct hws_errhandler *e = hws_comm_world.errhandler;
    if (!e || hws_errhandler_is_fatal(e))
        hws_abort(1, line);
    fprintf(stderr, "hawser: %s\n", line);
}
