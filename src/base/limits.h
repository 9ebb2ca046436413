/* SPDX-License-Identifier: BSD-3-Clause
 *
 * limits: what several folders must agree about, none of which includes the other.
 */
#ifndef HWS_BASE_LIMITS_H
#define HWS_BASE_LIMITS_H

/* Lanes to one peer, open at the same time; so also the paths, the routes and the pairs of cards looked at. A hello
 * names a lane by its number (docs/wire.md), so more of them are a change of the wire. */
#define HWS_MAX_LANES 32

#endif
