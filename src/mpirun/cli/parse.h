/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse: what a command line, and the environment, ask for.
 */
#ifndef HWS_MPIRUN_CLI_PARSE_H
#define HWS_MPIRUN_CLI_PARSE_H

#include <stddef.h>
#include <stdio.h>

#include "mpirun/cli/args.h"

/* Parses argv[1..]. HWS_OK, or HWS_EINVAL with one line in err. The environment's HAWSER_ variables and MPIEXEC_TIMEOUT
 * count where no flag says otherwise. Free with hws_args_fini() in both cases. */
int hws_args_parse(struct hws_args *a, int argc, char **argv, char *err, size_t err_len);

/* Prints the list of flags. */
void hws_args_help(FILE *to);

#endif
