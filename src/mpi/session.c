/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session: MPI_Session_... (MPI 5.0 section 11.3); their buffers are in bsend.c.
 */
#include "mpi/public.h"

#include <stdio.h>
#include <string.h>

#include "coll/run.h"
#include "core/env/sessions.h"
#include "core/object/errhandler.h"
#include "mpi/check_object.h"
#include "mpi/errhan.h"
#include "mpi/session.h"

int hws_check_session(MPI_Session h, struct hws_session **out)
{
    if ((*out = hws_session_of(h)) != NULL)
        return MPI_SUCCESS;
    return h == MPI_SESSION_NULL ? hws_fail(MPI_ERR_SESSION, "invalid session: argument session is MPI_SESSION_NULL")
                                 : hws_fail(MPI_ERR_SESSION, "invalid session: argument session is none");
}

int hws_raise_session(struct hws_session *s, const char *fn, int rc)
{
    return s ? hws_raise_on(s->errhandler, HWS_KIND_SESSION, hws_session_handle(s), fn, rc) : hws_raise(NULL, fn, rc);
}

int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    static const char *const fn = "MPI_Session_init";
    struct hws_errhandler *e = hws_errhandler_of(errhandler);
    struct hws_info *i;
    struct hws_session *s = NULL;
    int rc = hws_check_ptr(session, "session");
    if (rc == MPI_SUCCESS && !e && errhandler != MPI_ERRHANDLER_NULL)
        rc = hws_fail(MPI_ERR_ERRHANDLER, "invalid error handler: argument errhandler is none");
    if (!e)
        e = hws_errhandler_initial();
    if (rc == MPI_SUCCESS && (rc = hws_check_info(info, &i)) == MPI_SUCCESS && (rc = hws_coll_setup()) == MPI_SUCCESS)
        rc = hws_session_init(i, e, &s);
    if (rc != MPI_SUCCESS)
        return hws_raise_on(e, HWS_KIND_SESSION, MPI_SESSION_NULL, fn, rc);
    *session = hws_session_handle(s);
    return MPI_SUCCESS;
}
HWS_MPI(Session_init)

int PMPI_Session_finalize(MPI_Session *session)
{
    struct hws_session *s = NULL;
    int rc = hws_check_ptr(session, "session");
    if (rc == MPI_SUCCESS)
        rc = hws_check_session(*session, &s);
    if (rc != MPI_SUCCESS)
        return hws_raise_session(s, "MPI_Session_finalize", rc);
    *session = MPI_SESSION_NULL;
    rc = hws_session_finalize(s);
    if (!hws_world_is_up())
        hws_sched_fini();
    return hws_raise(NULL, "MPI_Session_finalize", rc);
}
HWS_MPI(Session_finalize)

int PMPI_Session_get_info(MPI_Session session, MPI_Info *info_used)
{
    struct hws_session *s;
    int rc = hws_check_session(session, &s);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(info_used, "info_used")) == MPI_SUCCESS)
        rc = hws_give_info(hws_session_hints(s), info_used);
    return hws_raise_session(s, "MPI_Session_get_info", rc);
}
HWS_MPI(Session_get_info)

/* ---- process sets ---- */

int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)
{
    struct hws_session *s;
    struct hws_info *i;
    int rc = hws_check_session(session, &s);
    if (rc == MPI_SUCCESS && (rc = hws_check_info(info, &i)) == MPI_SUCCESS &&
        (rc = hws_check_ptr(npset_names, "npset_names")) == MPI_SUCCESS)
        for (*npset_names = 0; hws_pset_name(*npset_names);)
            ++*npset_names;
    return hws_raise_session(s, "MPI_Session_get_num_psets", rc);
}
HWS_MPI(Session_get_num_psets)

/* *pset_len counts the NUL; 0 asks for the length only (MPI 5.0 section 11.3.2). */
static int give_name(int n, int *pset_len, char *pset_name)
{
    const char *name = hws_pset_name(n);
    if (n < 0 || !name)
        return hws_fail(MPI_ERR_ARG, "invalid argument: n is %d, there is no such process set", n);
    int rc = hws_check_ptr(pset_len, "pset_len");
    if (rc || (*pset_len > 0 && (rc = hws_check_ptr(pset_name, "pset_name"))))
        return rc;
    if (*pset_len > 0)
        snprintf(pset_name, (size_t)*pset_len, "%s", name);
    *pset_len = (int)strlen(name) + 1;
    return MPI_SUCCESS;
}

int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name)
{
    struct hws_session *s;
    struct hws_info *i;
    int rc = hws_check_session(session, &s);
    if (rc == MPI_SUCCESS && (rc = hws_check_info(info, &i)) == MPI_SUCCESS)
        rc = give_name(n, pset_len, pset_name);
    return hws_raise_session(s, "MPI_Session_get_nth_pset", rc);
}
HWS_MPI(Session_get_nth_pset)

static int pset_info(const char *name, MPI_Info *info)
{
    char size[16];
    int n = hws_pset_size(name);
    if (n < 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: there is no process set %s", name);
    snprintf(size, sizeof size, "%d", n);
    struct hws_info *i = hws_info_new();
    int rc = i ? hws_info_set(i, "mpi_size", size) : MPI_SUCCESS;
    return rc ? rc : hws_give_info(i, info);
}

int PMPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)
{
    struct hws_session *s;
    int rc = hws_check_session(session, &s);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(pset_name, "pset_name")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(info, "info")) == MPI_SUCCESS)
        rc = pset_info(pset_name, info);
    return hws_raise_session(s, "MPI_Session_get_pset_info", rc);
}
HWS_MPI(Session_get_pset_info)

int PMPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
    struct hws_session *s;
    struct hws_group *g;
    int rc = hws_check_session(session, &s);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(pset_name, "pset_name")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(newgroup, "newgroup")) == MPI_SUCCESS &&
        (rc = hws_pset_group(s, pset_name, &g)) == MPI_SUCCESS)
        *newgroup = hws_group_handle(g);
    return hws_raise_session(s, "MPI_Group_from_session_pset", rc);
}
HWS_MPI(Group_from_session_pset)

/* ---- error handlers ---- */

int PMPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler)
{
    struct hws_session *s;
    int rc = hws_check_session(session, &s);
    return hws_raise_session(s, "MPI_Session_set_errhandler",
                             rc ? rc : hws_slot_set(&s->errhandler, HWS_KIND_SESSION, errhandler));
}
HWS_MPI(Session_set_errhandler)

int PMPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler)
{
    struct hws_session *s;
    int rc = hws_check_session(session, &s);
    return hws_raise_session(s, "MPI_Session_get_errhandler", rc ? rc : hws_slot_get(s->errhandler, errhandler));
}
HWS_MPI(Session_get_errhandler)

int PMPI_Session_call_errhandler(MPI_Session session, int errorcode)
{
    struct hws_session *s;
    int rc = hws_check_session(session, &s);
    if (rc != MPI_SUCCESS)
        return hws_raise_session(NULL, "MPI_Session_call_errhandler", rc);
    return hws_slot_call(s->errhandler, HWS_KIND_SESSION, hws_session_handle(s), "MPI_Session_call_errhandler",
                         errorcode);
}
HWS_MPI(Session_call_errhandler)
