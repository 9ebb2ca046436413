/* SPDX-License-Identifier: BSD-3-Clause
 *
 * log: lines on stderr. Traces are always compiled in and cost one predictable branch while off; HAWSER_TRACE turns
 * them on folder by folder. Every line leaves in one write(2), so that lines of several ranks don't mix; whatever is
 * not printable in it becomes '?', for texts come from other processes too.
 */
#ifndef HWS_BASE_LOG_H
#define HWS_BASE_LOG_H

#include <stddef.h>

enum hws_folder {
    HWS_FOLDER_base,
    HWS_FOLDER_wire,
    HWS_FOLDER_frag,
    HWS_FOLDER_striping,
    HWS_FOLDER_match,
    HWS_FOLDER_reactor,
    HWS_FOLDER_link,
    HWS_FOLDER_peer,
    HWS_FOLDER_core,
    HWS_FOLDER_coll,
    HWS_FOLDER_mpi,
    HWS_FOLDER_launch,
    HWS_FOLDER_mpirun,
    HWS_N_FOLDERS
};

extern unsigned hws_trace_mask; /* bit per folder; set by hws_log_init() and hws_log_set() only */

/* Sets what is traced and the rank in front of each line (rank < 0: none yet).
 *   folders   HAWSER_TRACE: "", "all" or names of folders, comma separated
 *   returns   HWS_OK; or HWS_EINVAL with one line in err that names the entry, nothing changed */
int hws_log_init(const char *folders, int rank, char *err, size_t err_len);

/* The same while the library runs: a name that no folder has traces nothing. */
void hws_log_set(const char *folders);

/* Writes "hawser[rank] folder: text". For hws_trace() only. */
void hws_trace_write(enum hws_folder folder, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* hws_trace(peer, "rank %d is %s", ...): the folder's bare name, then as printf without a newline. */
#define hws_trace(folder, ...)                                                                                         \
    do {                                                                                                               \
        if (__builtin_expect(hws_trace_mask & (1u << HWS_FOLDER_##folder), 0))                                         \
            hws_trace_write(HWS_FOLDER_##folder, __VA_ARGS__);                                                         \
    } while (0)

/* Always writes "hawser[rank]: text". For what the user must know although the job goes on. */
void hws_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

#endif
