/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_category: one category with all others inside it, and each variable and event in exactly one of those
 * (MPI 5.0 section 15.3.9). The table names members by the beginning of their names.
 */
#include "mpi/public.h"

#include <string.h>

#include "mpi/t/mpi_t.h"

#define MAX_MEMBERS 24

/* A member that ends with * stands for all names that begin so. Parameters by their flag. */
static const struct {
    const char *name, *desc;
    const char *members[MAX_MEMBERS];
} table[] = {
    {"hawser", "everything", {0}},
    {"hawser_network",
     "interfaces, connections and lanes",
     {"i", "ni", "tcpcon*", "tcphello", "portrange", "lane*", "connects", "accepts", "connect_retries", "refused",
      "peer_connects", "peer_retries", "peer_state", "peer_site*", "hawser_lane*", "hawser_peer_lost"}},
    {"hawser_messages",
     "how messages travel",
     {"tcpmaxfrag", "tcpeagersend", "shm*", "bytes*", "messages*", "frames*", "eager_sent", "rendezvous_sent",
      "single_copies", "double_copies", "without_credit", "peer_bytes*", "peer_messages*", "peer_credit",
      "hawser_without_credit"}},
    {"hawser_unexpected",
     "messages that come before their receives",
     {"credit", "unexpected*", "peer_unexpected*", "hawser_unexpected"}},
    {"hawser_progress", "waiting", {"spin", "progress", "sleeps", "send_calls", "recv_calls"}},
    {"hawser_collectives", "algorithms of collective operations", {"coll", "multicast*", "comm_multicast*"}},
    {"hawser_other", "the rest", {0}},
};

#define N_CATEGORIES ((int)(sizeof table / sizeof table[0]))
#define ALL          0
#define OTHER        (N_CATEGORIES - 1)

static bool is_member(const char *member, const char *name)
{
    size_t len = strlen(member);
    return member[len - 1] == '*' ? strncmp(member, name, len - 1) == 0 : strcmp(member, name) == 0;
}

static int category_of(const char *name)
{
    for (int i = 0; i < N_CATEGORIES; i++)
        for (int k = 0; k < MAX_MEMBERS && table[i].members[k]; k++)
            if (is_member(table[i].members[k], name))
                return i;
    return OTHER;
}

static const char *cvar_name(int index)
{
    return hws_t_cvar(index)->flag;
}

struct list {
    int (*count)(void);
    const char *(*name)(int index);
};

static const struct list cvars = {hws_t_n_cvars, cvar_name};
static const struct list pvars = {hws_t_n_pvars, hws_t_pvar_name};
static const struct list events = {hws_t_n_events, hws_t_event_name};

/* Writes the first `len` members of a category; returns how many there are. */
static int members(int category, const struct list *of, int len, int *indices)
{
    int n = 0;
    for (int i = 0; i < of->count(); i++) {
        if (category_of(of->name(i)) != category)
            continue;
        if (n < len)
            indices[n] = i;
        n++;
    }
    return n;
}

static int check_category(int index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return index >= 0 && index < N_CATEGORIES ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

int PMPI_T_category_get_num(int *num_cat)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_cat)
        return MPI_T_ERR_INVALID;
    *num_cat = N_CATEGORIES;
    return MPI_SUCCESS;
}
HWS_MPI(T_category_get_num)

int PMPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
                             int *num_pvars, int *num_categories)
{
    int rc = check_category(cat_index);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_t_give_text(table[cat_index].name, name, name_len);
    hws_t_give_text(table[cat_index].desc, desc, desc_len);
    hws_t_give_int(members(cat_index, &cvars, 0, NULL), num_cvars);
    hws_t_give_int(members(cat_index, &pvars, 0, NULL), num_pvars);
    hws_t_give_int(cat_index == ALL ? N_CATEGORIES - 1 : 0, num_categories);
    return MPI_SUCCESS;
}
HWS_MPI(T_category_get_info)

int PMPI_T_category_get_num_events(int cat_index, int *num_events)
{
    int rc = check_category(cat_index);
    if (rc == MPI_SUCCESS)
        hws_t_give_int(members(cat_index, &events, 0, NULL), num_events);
    return rc;
}
HWS_MPI(T_category_get_num_events)

int PMPI_T_category_get_index(const char *name, int *cat_index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !cat_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < N_CATEGORIES; i++)
        if (strcmp(table[i].name, name) == 0) {
            *cat_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
HWS_MPI(T_category_get_index)

static int check_array(int cat_index, int len, const int *indices)
{
    int rc = check_category(cat_index);
    if (rc == MPI_SUCCESS && (len < 0 || (len > 0 && !indices)))
        return MPI_T_ERR_INVALID;
    return rc;
}

static int give_members(int cat_index, const struct list *of, int len, int *indices)
{
    int rc = check_array(cat_index, len, indices);
    if (rc == MPI_SUCCESS)
        members(cat_index, of, len, indices);
    return rc;
}

int PMPI_T_category_get_cvars(int cat_index, int len, int indices[])
{
    return give_members(cat_index, &cvars, len, indices);
}
HWS_MPI(T_category_get_cvars)

int PMPI_T_category_get_pvars(int cat_index, int len, int indices[])
{
    return give_members(cat_index, &pvars, len, indices);
}
HWS_MPI(T_category_get_pvars)

int PMPI_T_category_get_events(int cat_index, int len, int indices[])
{
    return give_members(cat_index, &events, len, indices);
}
HWS_MPI(T_category_get_events)

int PMPI_T_category_get_categories(int cat_index, int len, int indices[])
{
    int rc = check_array(cat_index, len, indices);
    if (rc != MPI_SUCCESS || cat_index != ALL)
        return rc;
    for (int i = 1; i < N_CATEGORIES && i <= len; i++)
        indices[i - 1] = i;
    return MPI_SUCCESS;
}
HWS_MPI(T_category_get_categories)

/* Everything is known from the start, so nothing ever changes (section 15.3.10). */
int PMPI_T_category_changed(int *update_number)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!update_number)
        return MPI_T_ERR_INVALID;
    *update_number = 0;
    return MPI_SUCCESS;
}
HWS_MPI(T_category_changed)
