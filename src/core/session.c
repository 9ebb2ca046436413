/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session: the object and the process sets.
 */
#include "core/session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/bsend.h"
#include "core/comm.h"
#include "core/errhandler.h"
#include "core/fail.h"
#include "core/info.h"
#include "core/world.h"

/* The level that the hints ask for; the highest when they don't say, since the libraries that open sessions in one process
 * know nothing of each other (MPI 5.0 section 11.3.1, advice to implementors). */
static int asked_level(const struct hws_info *info)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
                  {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                  {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                  {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}};
    char value[32];
    if (info && hws_info_get(info, "thread_level", value, sizeof value) >= 0)
        for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
            if (strcasecmp(levels[i].name, value) == 0)
                return levels[i].level;
    return MPI_THREAD_MULTIPLE;
}

static const char *level_name(int level)
{
    return level == MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
           : level == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
           : level == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                            : "MPI_THREAD_SINGLE";
}

int hws_session_init(const struct hws_info *info, struct hws_errhandler *e, struct hws_session **out)
{
    struct hws_session *s = calloc(1, sizeof *s);
    if (!s || (s->info = hws_info_dup(info)) == NULL) {
        free(s);
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a session");
    }
    int level = asked_level(info), rc = hws_world_add_session();
    if (rc != MPI_SUCCESS) {
        hws_info_free(s->info);
        free(s);
        return rc;
    }
    hws_object_init(&s->obj, HWS_KIND_SESSION);
    s->thread_level = level < hws_world.thread_level ? level : hws_world.thread_level;
    hws_info_set(s->info, "thread_level", level_name(s->thread_level));
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
    hws_info_free(s->info);
    hws_session_drop(s);
    return rc;
}

void hws_session_drop(struct hws_session *s)
{
    if (s && hws_object_unref(&s->obj))
        free(s);
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
