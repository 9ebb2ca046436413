/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sessions: their begin and end, and the process sets.
 */
#include "core/env/sessions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/comm/comm.h"
#include "core/env/init.h"
#include "core/object/errhandler.h"
#include "core/object/fail.h"
#include "core/object/info.h"
#include "core/object/world.h"
#include "core/p2p/bsend.h"

/* The level that the hints ask for; the highest when they don't say, since the libraries that open sessions in one
 * process know nothing of each other (MPI 5.0 section 11.3.1, advice to implementors). */
static int asked_level(const struct hws_info *info, int *level)
{
    char value[MPI_MAX_INFO_VAL];
    *level = MPI_THREAD_MULTIPLE;
    if (!info || hws_info_get(info, "thread_level", value, sizeof value) < 0 || hws_thread_level_of(value, level))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_INFO_VALUE,
                    "invalid info value: thread_level is \"%s\", which is none of the MPI_THREAD_... levels", value);
}

int hws_session_init(const struct hws_info *info, struct hws_errhandler *e, struct hws_session **out)
{
    int level, rc = asked_level(info, &level);
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_session *s = calloc(1, sizeof *s);
    if (!s)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a session");
    if ((rc = hws_world_add_session()) != MPI_SUCCESS) {
        free(s);
        return rc;
    }
    hws_object_init(&s->obj, HWS_KIND_SESSION);
    s->thread_level = level < hws_world.thread_level ? level : hws_world.thread_level;
    hws_errhandler_set(&s->errhandler, e);
    *out = s;
    return MPI_SUCCESS;
}

int hws_session_finalize(struct hws_session *s)
{
    hws_bsend_end(&s->bsend);
    int rc = hws_world_remove_session();
    s->obj.kind = 0;
    hws_errhandler_drop(s->errhandler);
    hws_session_drop(s);
    return rc;
}

struct hws_info *hws_session_hints(const struct hws_session *s)
{
    struct hws_info *info = hws_info_new();
    if (info && hws_info_set(info, "thread_level", hws_thread_level_name(s->thread_level)) == MPI_SUCCESS)
        return info;
    hws_info_free(info);
    return NULL;
}

const char *hws_pset_name(int n)
{
    return n == 0 ? "mpi://WORLD" : n == 1 ? "mpi://SELF" : NULL;
}

int hws_pset_size(const char *name)
{
    return strcasecmp(name, "mpi://WORLD") == 0 ? hws_world.size : strcasecmp(name, "mpi://SELF") == 0 ? 1 : -1;
}

int hws_pset_group(struct hws_session *s, const char *name, struct hws_group **out)
{
    int size = hws_pset_size(name);
    if (size < 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: there is no process set %s", name);
    const struct hws_group *like = size == hws_world.size ? hws_comm_world.group : hws_comm_self.group;
    *out = hws_group_dup(like, s);
    return *out ? MPI_SUCCESS : hws_fail(MPI_ERR_NO_MEM, "out of memory for a group");
}
