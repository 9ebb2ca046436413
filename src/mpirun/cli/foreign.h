/* SPDX-License-Identifier: BSD-3-Clause
 *
 * foreign: environment variables of other MPIs that say what flags and variables of Hawser's say, too; these say more.
 */
#ifndef HWS_MPIRUN_CLI_FOREIGN_H
#define HWS_MPIRUN_CLI_FOREIGN_H

#include "mpirun/cli/flags.h"

/* The remote shell, behind hws_params_load(). Returns HWS_OK, or HWS_EINVAL and a sentence in p->err. */
int hws_foreign_agent(struct hws_parse *p);

/* Interfaces, mapping and ports, in the same way. */
int hws_foreign_choices(struct hws_parse *p);

#endif
