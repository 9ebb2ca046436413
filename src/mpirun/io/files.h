/* SPDX-License-Identifier: BSD-3-Clause
 *
 * files: the files in which ranks' output goes, each opened once, whoever shares it. They are regular files as a rule,
 * so writing does not wait; a pipe or a device may be among them, and is waited for as mpirun's own output is.
 */
#ifndef HWS_MPIRUN_FILES_H
#define HWS_MPIRUN_FILES_H

#include "mpirun/io/sink.h"

struct hws_files;

struct hws_file {
    struct hws_files *files;
    char *name;
    bool was_full;
    int fd;
    struct hws_output_sink sink;
};

struct hws_files {
    struct hws_file **list;
    int n, n_started;
    void *tree; /* of tsearch(), by name */
    int n_full;
    const struct hws_file *broken; /* the first that could not be written; or NULL */
    void (*on_change)(void *arg);  /* as of a sink, for all of them */
    void *arg;
};

/* The file of that name, which stays the caller's: emptied, or made with the directories that it needs, if it was not
 * asked for before. NULL: that cannot be done, with one line in err. first_fd: the descriptor's least number. */
struct hws_file *hws_files_open(struct hws_files *f, const char *name, int first_fd, char *err, size_t err_len);

/* Makes the files that were opened since the last call ready for hws_sink_write(&file->sink); on_change as of a sink,
 * the same in every call. */
void hws_files_start(struct hws_files *f, struct hws_loop *loop, void (*on_change)(void *arg), void *arg);

/* Whether some file has bytes that are not written yet. */
bool hws_files_wait(const struct hws_files *f);

/* Writes out everything, as hws_sink_flush(). */
void hws_files_flush(struct hws_files *f, int patience_ms);

#endif
