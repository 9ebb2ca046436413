/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32c: the checksum of iSCSI and SCTP (polynomial 0x1edc6f41, reflected 0x82f63b78). It finds every burst of up to
 * 32 bits, and there is a processor instruction for it, which is chosen at run time.
 */
#ifndef HWS_BASE_CRC32C_H
#define HWS_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what `crc` is the checksum of, followed by data[len]. 0 is the checksum of nothing, so pieces are fed
 * one after the other:
 *     crc = hws_crc32c(hws_crc32c(0, head, head_len), body, body_len)
 *   source     RFC 3720 section 12.1, with examples in appendix B.4 */
uint32_t hws_crc32c(uint32_t crc, const void *data, size_t len);

/* Which way is used: "sse4.2", "armv8" or "table". */
const char *hws_crc32c_way(void);

#endif
