/* SPDX-License-Identifier: BSD-3-Clause
 *
 * host: which host this is.
 */
#ifndef HWS_BASE_HOST_H
#define HWS_BASE_HOST_H

#include <stdint.h>

/* 64 bits that are the same in all processes of a host (one kernel since it has started, one host name, as each
 * container has its own) and differ between hosts. */
uint64_t hws_host_id(void);

#endif
