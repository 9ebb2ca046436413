/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32c_priv: the two ways to one result, for their tests.
 */
#ifndef HWS_BASE_CRC32C_PRIV_H
#define HWS_BASE_CRC32C_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call hws_crc32c_has_instruction() before either: it makes the tables. */
bool hws_crc32c_has_instruction(void);
uint32_t hws_crc32c_by_table(uint32_t crc, const void *data, size_t len);

/* Only where there is the instruction. */
uint32_t hws_crc32c_by_instruction(uint32_t crc, const void *data, size_t len);

#endif
