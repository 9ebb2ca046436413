/* SPDX-License-Identifier: BSD-3-Clause
 *
 * args: see args.h.
 */
#include "mpirun/cli/args.h"

#include <stdlib.h>
#include <string.h>

#include "mpirun/cli/appfile.h"

void hws_args_fini(struct hws_args *a)
{
    for (int i = 0; i < a->n_apps; i++) {
        hws_env_free(&a->apps[i].env);
        free(a->apps[i].argv);
    }
    free(a->apps);
    for (int i = 0; i < a->n_files; i++)
        hws_appfile_free(a->files[i]);
    free(a->files);
    free(a->ignored_mca);
    hws_output_fini(&a->output);
    hws_env_free(&a->env);
    memset(a, 0, sizeof *a);
}
