/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_make: communicators from communicators and groups (MPI 5.0 sections 7.4.2 and 7.6). All return an MPI class (or
 * what a copy callback returned) and in *out a new reference, NULL: the caller is in none (MPI_COMM_NULL).
 */
#ifndef HWS_CORE_COMM_MAKE_H
#define HWS_CORE_COMM_MAKE_H

#include "core/comm/comm.h"

struct hws_info;

struct hws_request;

/* info: hints of the new one, or NULL. */
int hws_comm_dup(struct hws_comm *c, const struct hws_info *info, struct hws_comm **out);

/* All of that but the context id (attributes copied). */
int hws_comm_dup_begin(struct hws_comm *c, const struct hws_info *info, struct hws_comm **out);

/* The communicator of these groups (references taken over; remote NULL: intracommunicator), with the id that its
 * members have agreed on. */
int hws_comm_join(struct hws_group *g, struct hws_group *remote, uint32_t ctx, const struct hws_comm *parent,
                  struct hws_comm **out);

/* Nonblocking: *out exists at once and must not be used until *req is complete (MPI 5.0 section 7.4.2). */
int hws_comm_idup(struct hws_comm *c, const struct hws_info *info, struct hws_comm **out, struct hws_request **req);

/* Members are those of g, a subset of c's group, but all of c call. *out NULL: the caller is in none. */
int hws_comm_create(struct hws_comm *c, struct hws_group *g, struct hws_comm **out);

/* Members are those of g only; tag is the user's. */
int hws_comm_create_group(struct hws_comm *c, struct hws_group *g, int tag, struct hws_comm **out);

/* No parent: equal stringtags find each other (MPI 5.0 section 7.4.2, MPI_Comm_create_from_group). An empty group gives
 * NULL; a group without the caller is MPI_ERR_GROUP. */
int hws_comm_create_from_group(struct hws_group *g, const char *stringtag, struct hws_comm **out);

/* The tag that a stringtag stands for. */
int hws_string_tag(const char *s);

/* color MPI_UNDEFINED: in none. */
int hws_comm_split(struct hws_comm *c, int color, int key, struct hws_comm **out);

/* split_type: MPI_COMM_TYPE_..., or MPI_UNDEFINED. info may be NULL; MPI_COMM_TYPE_HW_UNGUIDED writes to it which
 * resource *out is made of (mpi_hw_resource_type), if there is one. */
int hws_comm_split_type(struct hws_comm *c, int split_type, int key, struct hws_info *info, struct hws_comm **out);

/* Why a process is where in a split. */
struct hws_choice {
    int color, key, rank; /* rank: in the old (local) group */
    uint32_t ctx;         /* for the communicator, if this process is its first member; else HWS_CTX_NONE or not used */
};

/* For qsort: by color, then key, then rank; MPI_UNDEFINED (negative) comes first. */
int hws_choice_compare(const void *a, const void *b);
/* Of a color among n sorted choices: the first (NULL: there is none); its processes (NULL: none). */
const struct hws_choice *hws_choice_first(const struct hws_choice *sorted, int n, int color);
int hws_choice_group(const struct hws_choice *sorted, int n, int color, const struct hws_group *old,
                     struct hws_group **out);

#endif
