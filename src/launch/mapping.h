/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mapping: which ranks share a host, in the words of PMI: the value of the key PMI_process_mapping, for example
 * "(vector,(0,2,4))". Its items are blocks of (first host, number of hosts, ranks on each), single hosts with one rank,
 * and
 * "[items]xN", N rounds of the items; if ranks are left at the end, it goes on with its first item that begins on host
 * 0. Pure.
 */
#ifndef HWS_LAUNCH_MAPPING_H
#define HWS_LAUNCH_MAPPING_H

#include <stdbool.h>

#define HWS_MAPPING_KEY "PMI_process_mapping"

/* How many ranks share the host of `rank`. out, unless NULL, gets them in ascending order. 0: the text cannot be
 * understood, or somebody has cut it. */
int hws_mapping_locals(const char *mapping, int rank, int size, int *out);

/* The number of the rank's host; -1: as above. */
int hws_mapping_host(const char *mapping, int rank, int size);

/* The same of all ranks, in hosts[size]. False: as above. */
bool hws_mapping_hosts(const char *mapping, int size, int *hosts);

/* The text for hosts[size], to be freed by the caller. NULL: no memory. */
char *hws_mapping_text(const int *hosts, int size);

#endif
