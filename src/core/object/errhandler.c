/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errhandler: objects behind MPI_Errhandler and their call.
 */
#include "core/object/errhandler.h"

#include <stdlib.h>
#include <strings.h>

#include "core/object/error.h"

struct hws_errhandler hws_errors_are_fatal = {.obj = {.kind = HWS_KIND_ERRHANDLER, .refs = 1, .handle = 0x141}};
struct hws_errhandler hws_errors_abort = {.obj = {.kind = HWS_KIND_ERRHANDLER, .refs = 1, .handle = 0x142}};
struct hws_errhandler hws_errors_return = {.obj = {.kind = HWS_KIND_ERRHANDLER, .refs = 1, .handle = 0x143}};
struct hws_errhandler *hws_file_errhandler = &hws_errors_return;

struct hws_errhandler *hws_errhandler_of(MPI_Errhandler h)
{
    if (h == MPI_ERRORS_ARE_FATAL)
        return &hws_errors_are_fatal;
    if (h == MPI_ERRORS_ABORT)
        return &hws_errors_abort;
    if (h == MPI_ERRORS_RETURN)
        return &hws_errors_return;
    return (struct hws_errhandler *)hws_object_of(h, HWS_KIND_ERRHANDLER);
}

struct hws_errhandler *hws_errhandler_new(enum hws_kind of)
{
    struct hws_errhandler *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    hws_object_init(&e->obj, HWS_KIND_ERRHANDLER);
    e->of = of;
    return e;
}

void hws_errhandler_hold(struct hws_errhandler *e)
{
    if (!e->obj.handle)
        hws_object_hold(&e->obj);
}

void hws_errhandler_drop(struct hws_errhandler *e)
{
    if (!e || e->obj.handle || !hws_object_unref(&e->obj))
        return;
    e->obj.kind = 0;
    free(e);
}

void hws_errhandler_set(struct hws_errhandler **slot, struct hws_errhandler *e)
{
    hws_errhandler_hold(e);
    hws_errhandler_drop(__atomic_exchange_n(slot, e, __ATOMIC_ACQ_REL));
}

struct hws_errhandler *hws_errhandler_initial(void)
{
    const char *name = getenv("HAWSER_INITIAL_ERRHANDLER");
    if (name && strcasecmp(name, "mpi_errors_return") == 0)
        return &hws_errors_return;
    if (name && strcasecmp(name, "mpi_errors_abort") == 0)
        return &hws_errors_abort;
    return &hws_errors_are_fatal;
}

void hws_errhandler_call(struct hws_errhandler *e, enum hws_kind of, void *handle, int code, const char *text)
{
    if (e == &hws_errors_return)
        return;
    /* MPI_ERRORS_ABORT would have to end the communicator's processes only; the launcher ends the whole job, which
     * section 9.3 leaves to the implementation. */
    if (hws_errhandler_is_fatal(e))
        hws_abort(1, text);
    hws_errhandler_hold(e); /* the handler may free itself */
    switch (of) {
    case HWS_KIND_WIN:
        e->fn.win(&(MPI_Win){(MPI_Win)handle}, &code, NULL);
        break;
    case HWS_KIND_FILE:
        e->fn.file(&(MPI_File){(MPI_File)handle}, &code, NULL);
        break;
    case HWS_KIND_SESSION:
        e->fn.session(&(MPI_Session){(MPI_Session)handle}, &code, NULL);
        break;
    default:
        e->fn.comm(&(MPI_Comm){(MPI_Comm)handle}, &code, NULL);
        break;
    }
    hws_errhandler_drop(e);
}
