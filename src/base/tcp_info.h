/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Linux' struct tcp_info as far as it is needed; the C library's is shorter. An older kernel answers with fewer bytes
 * (see getsockopt's length): what lies behind keeps the value it had. Source: linux/tcp.h, snd_wnd since 5.4. */
#ifndef HWS_BASE_TCP_INFO_H
#define HWS_BASE_TCP_INFO_H

#include <netinet/tcp.h>
#include <stdint.h>

struct hws_tcp_info {
    struct tcp_info base;
    uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
    uint32_t segs_out, segs_in, notsent_bytes, min_rtt /* us; UINT32_MAX: not measured */, data_segs_in, data_segs_out;
    uint64_t delivery_rate, busy_time, rwnd_limited, sndbuf_limited;
    uint32_t delivered, delivered_ce;
    uint64_t bytes_sent, bytes_retrans;
    uint32_t dsack_dups, reord_seen, rcv_ooopack, snd_wnd;
};

#endif
