/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output: how the ranks' output is shown and in which files it goes: Hydra's -outfile-pattern and -errfile-pattern,
 * Open MPI's --output-filename and --output. All become one pattern for each stream. Reads and writes no file.
 */
#ifndef HWS_MPIRUN_OUTPUT_H
#define HWS_MPIRUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct hws_output {
    char *patterns[2]; /* of the files of stdout and stderr, with %r rank, %g group, %p node, %h host, %%; NULL: none */
    bool is_padded;    /* ranks in names have as many digits as the last one's */
    bool is_copied;    /* what goes into files is shown as well */
    bool has_tags, has_time;
};

/* The file of stream 1 or 2, as Hydra writes it; what goes there is shown nowhere else. HWS_OK, or HWS_EINVAL with one
 * line in err. */
int hws_output_pattern(struct hws_output *o, int stream, const char *flag, const char *pattern, char *err,
                       size_t err_len);

/* DIR[:nocopy][:nojobid], as Open MPI 4 writes it: DIR/1/rank.N/stdout and stderr. */
int hws_output_dir(struct hws_output *o, const char *flag, const char *dir, char *err, size_t err_len);

/* Open MPI 5's list of words: tag, timestamp, dir=DIR, file=NAME (NAME.N.out and NAME.N.err). */
int hws_output_words(struct hws_output *o, const char *flag, const char *list, char *err, size_t err_len);

/* Frees the patterns. */
void hws_output_fini(struct hws_output *o);

/* Whom a file is for. */
struct hws_output_rank {
    int rank, size, node;
    const char *host;
};

/* The name of the file of stream 1 or 2 of a rank; NULL: there is none. Free it. */
char *hws_output_name(const struct hws_output *o, int stream, const struct hws_output_rank *whose);

#endif
