/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HWS_PEER_HEADON_H
#define HWS_PEER_HEADON_H
#include <stdbool.h>
static inline bool hws_headon_keep_mine(int me, int them) { return me < them; }
#endif
