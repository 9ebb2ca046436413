/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mapping: where other launchers' flags put ranks, in terms of place.h. What cannot be done as asked is refused, never
 * done otherwise: a job on other hosts than asked for is worse than none. Pure.
 */
#ifndef HWS_MPIRUN_MAPPING_H
#define HWS_MPIRUN_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

#define HWS_RANKS_MAX 1000000

struct hws_mapping {
    bool by_node;   /* in turn over the hosts, as long as they have slots */
    int per_node;   /* ppr:N:node: so many on each host and no more; 0: not said */
    bool is_within; /* by a part of a host, socket for one, which only -bind-to can take into account */
};

/* Open MPI's -map-by: [ppr:N:]UNIT[:MODIFIER[,MODIFIER..]]. HWS_OK, or HWS_EINVAL with one line in err. */
int hws_mapping_parse(struct hws_mapping *m, const char *text, char *err, size_t err_len);

#endif
