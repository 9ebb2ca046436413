/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flags: one table of flags: Hawser's own, and those of Hydra's mpiexec and Open MPI's mpirun that scripts use. The
 * tuning flags come from base/params.h.
 */
#ifndef HWS_MPIRUN_CLI_FLAGS_H
#define HWS_MPIRUN_CLI_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mpirun/cli/args.h"

/* A command line on its way into struct hws_args. */
struct hws_parse {
    struct hws_args *a;
    struct hws_args_app *app;
    char **file;    /* the rest of this section is there; or NULL */
    bool has_begun; /* this section */
    char *err;
    size_t err_len;
    struct hws_mapping map; /* of programs that say nothing else */
};

/* set: returns HWS_OK, or another value and a sentence in p->err. */
struct hws_flag {
    const char *name;
    int n_values;
    int (*set)(struct hws_parse *p, const char *flag, char **values);
    const char *values_help, *help; /* NULL: an alias, or accepted only for old scripts */
};

/* The flag of that name, without its dashes, of len bytes: of this table or a tuning flag, whose object is the same for
 * all of these and holds until the next call. NULL: there is none. */
const struct hws_flag *hws_flag_find(const char *name, size_t len);

/* Says in p->err why a word is no flag, or which one may have been meant. Returns HWS_EINVAL. */
int hws_flag_unknown(struct hws_parse *p, const char *word, const char *name, size_t len);

/* 0 to 1e8 seconds, without a sign; name: of the flag or variable, for the sentence. Returns HWS_OK or HWS_EINVAL. */
int hws_parse_seconds(struct hws_parse *p, const char *name, const char *text, double *out);

/* The sentence fmt with text in it. Returns HWS_EINVAL. */
int hws_parse_fail(struct hws_parse *p, const char *fmt, const char *text);

/* The flags that have a help text, a line each. */
void hws_flags_help(FILE *to);

#endif
