/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_make: communicators from communicators and groups (MPI 5.0 sections 7.4.2 and 7.6). All return an MPI class (or what
 * a copy callback returned) and in *out a new reference, NULL: the caller is in none (MPI_COMM_NULL).
 */
#ifndef HWS_CORE_COMM_MAKE_H
#define HWS_CORE_COMM_MAKE_H

#include "core/comm.h"

struct hws_request;

/* info: hints of the new one, or NULL. */
int hws_comm_dup(struct hws_comm *c, const struct hws_info *info, struct hws_comm **out);

/* The rest of a duplication once its context ids are known; for the nonblocking form too. */
int hws_comm_dup_finish(struct hws_comm *c, const struct hws_info *info, uint32_t first_ctx, struct hws_comm **out);

int hws_comm_create(struct hws_comm *c, struct hws_group *g, struct hws_comm **out);

/* Members are those of g only; tag is the user's. */
int hws_comm_create_group(struct hws_comm *c, struct hws_group *g, int tag, struct hws_comm **out);

/* No parent: equal stringtags find each other (MPI 5.0 section 7.4.2, MPI_Comm_create_from_group). */
int hws_comm_create_from_group(struct hws_group *g, const char *stringtag, struct hws_comm **out);

/* color MPI_UNDEFINED: in none. */
int hws_comm_split(struct hws_comm *c, int color, int key, struct hws_comm **out);

#endif
