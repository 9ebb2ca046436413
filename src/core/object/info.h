/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info: ordered (key, value) pairs (MPI 5.0 chapter 10). Usable before MPI_Init and after MPI_Finalize; one mutex for
 * all objects, so any thread may call.
 */
#ifndef HWS_CORE_INFO_H
#define HWS_CORE_INFO_H

#include "core/object/object.h"

struct hws_info;

/* The object of a handle, MPI_INFO_ENV too; NULL if it is none (MPI_INFO_NULL too). */
struct hws_info *hws_info_of(MPI_Info h);
MPI_Info hws_info_handle(struct hws_info *i);

/* NULL: no memory. */
struct hws_info *hws_info_new(void);
struct hws_info *hws_info_dup(const struct hws_info *from); /* NULL: an empty one */
void hws_info_free(struct hws_info *i);                     /* NULL allowed */

/* MPI class; key and value were checked. merge sets every pair of `from` (NULL: none). */
int hws_info_set(struct hws_info *i, const char *key, const char *value);
int hws_info_merge(struct hws_info *i, const struct hws_info *from);
int hws_info_delete(struct hws_info *i, const char *key);

/* Copies at most len bytes (NUL included) of the value; returns its whole length without NUL, -1: no such key. */
int hws_info_get(const struct hws_info *i, const char *key, char *value, size_t len);

/* The number of keys. */
int hws_info_count(const struct hws_info *i);
/* Copies the n-th key into key[MPI_MAX_INFO_KEY]. False: there are fewer. */
bool hws_info_key(const struct hws_info *i, int n, char *key);

/* Fills i with what MPI_INFO_ENV and MPI_Info_create_env tell (MPI 5.0 section 11.2.1). argv may be NULL. */
int hws_info_fill_env(struct hws_info *i, int argc, char *const *argv);

/* The levels of thread support by the names that infos hold: "MPI_THREAD_SINGLE" and so on, any case. False: no such
 * name. */
const char *hws_thread_level_name(int level);
bool hws_thread_level_of(const char *name, int *level);

#endif
