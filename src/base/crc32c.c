/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32c: by instruction or by table.
 *
 * The instruction takes 8 bytes a cycle but its result comes 3 cycles later, so one chain reaches a third of the speed.
 * Therefore three chains run side by side over three neighbouring runs of bytes. The checksum is linear: with A
 * followed by n bytes, the checksum of all is (that of A, moved over n zero bytes) xor (that of the n bytes, started
 * with zero). Moving over a fixed number of zero bytes is linear in the 32 bits of the checksum: four tables of 256
 * entries.
 *
 * The tables are for slicing by 8: table[k][b] is the checksum of byte b with k zero bytes behind it.
 *
 * Inside this file a checksum is the bare remainder, without the inversions at both ends.
 */
#include "base/crc32c.h"
#include "base/crc32c_priv.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#define WAY    "sse4.2"
#define TARGET __attribute__((target("sse4.2")))
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#include <asm/hwcap.h>
#define WAY "armv8"
#ifdef __clang__
#define TARGET __attribute__((target("crc")))
#else
#define TARGET __attribute__((target("+crc")))
#endif
#endif

static const uint32_t POLYNOMIAL = 0x82f63b78; /* reflected: bit 0 is the highest power */

/* Lengths of a run: the long one for fragments, the short one for what is left. 1 KiB makes the joining 3 % of the
 * work.
 */
enum { LONG_RUN = 1024, SHORT_RUN = 128 };

static uint32_t table[8][256];
static uint32_t move_long[4][256], move_short[4][256]; /* [byte of the remainder][its value] */
static bool has_instruction;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t load_le64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* ---- by table ---- */

static uint32_t table_bytes(uint32_t crc, const uint8_t *p, size_t n)
{
    while (n--)
        crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
    return crc;
}

static uint32_t table_word(uint32_t crc, uint64_t v)
{
    v ^= crc;
    return table[7][v & 0xff] ^ table[6][v >> 8 & 0xff] ^ table[5][v >> 16 & 0xff] ^ table[4][v >> 24 & 0xff] ^
           table[3][v >> 32 & 0xff] ^ table[2][v >> 40 & 0xff] ^ table[1][v >> 48 & 0xff] ^ table[0][v >> 56];
}

uint32_t hws_crc32c_by_table(uint32_t crc, const void *data, size_t len)
{
    const uint8_t *p = data;
    crc = ~crc;
    for (; len >= 8; p += 8, len -= 8)
        crc = table_word(crc, load_le64(p));
    return ~table_bytes(crc, p, len);
}

/* ---- tables ---- */

static void make_table(void)
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        table[0][b] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t b = 0; b < 256; b++)
            table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 0xff];
}

/* How a remainder moves over n zero bytes, n a multiple of 8: bit by bit, then all values of each byte by linearity. */
static void make_move(uint32_t move[4][256], size_t n)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        uint32_t crc = (uint32_t)1 << bit;
        for (size_t i = 0; i < n; i += 8)
            crc = table_word(crc, 0);
        move[bit / 8][1u << bit % 8] = crc;
    }
    for (int k = 0; k < 4; k++)
        for (uint32_t b = 1; b < 256; b++) {
            uint32_t lowest = b & -b;
            move[k][b] = move[k][b ^ lowest] ^ move[k][lowest];
        }
}

/* ---- by instruction ---- */

#ifdef WAY

#if defined(__x86_64__)

static bool ask_instruction(void)
{
    unsigned a, b, c, d; /* __builtin_cpu_supports() would ask for all features at the start of every process */
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

TARGET static inline uint32_t step8(uint32_t crc, const uint8_t *p)
{
    return (uint32_t)_mm_crc32_u64(crc, load_le64(p));
}

TARGET static inline uint32_t step1(uint32_t crc, uint8_t b)
{
    return _mm_crc32_u8(crc, b);
}

#else

static bool ask_instruction(void)
{
    return getauxval(AT_HWCAP) & HWCAP_CRC32;
}

/* The assembler is told by the line itself: builtins have other names in each compiler. */
TARGET static inline uint32_t step8(uint32_t crc, const uint8_t *p)
{
    uint64_t v = load_le64(p);
    __asm__("crc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(v));
    return crc;
}

TARGET static inline uint32_t step1(uint32_t crc, uint8_t b)
{
    __asm__("crc32cb %w0, %w0, %w1" : "+r"(crc) : "r"(b));
    return crc;
}

#endif

static inline uint32_t moved(const uint32_t move[4][256], uint32_t crc)
{
    return move[0][crc & 0xff] ^ move[1][crc >> 8 & 0xff] ^ move[2][crc >> 16 & 0xff] ^ move[3][crc >> 24];
}

/* Three runs side by side. */
TARGET static inline uint32_t triple(uint32_t crc, const uint8_t *p, size_t run, const uint32_t move[4][256])
{
    uint32_t a = crc, b = 0, c = 0;
    for (const uint8_t *end = p + run; p < end; p += 8) {
        a = step8(a, p);
        b = step8(b, p + run);
        c = step8(c, p + 2 * run);
    }
    return moved(move, moved(move, a) ^ b) ^ c;
}

TARGET uint32_t hws_crc32c_by_instruction(uint32_t crc, const void *data, size_t len)
{
    const uint8_t *p = data;
    crc = ~crc;
    for (; len >= 3 * LONG_RUN; p += 3 * LONG_RUN, len -= 3 * LONG_RUN)
        crc = triple(crc, p, LONG_RUN, move_long);
    for (; len >= 3 * SHORT_RUN; p += 3 * SHORT_RUN, len -= 3 * SHORT_RUN)
        crc = triple(crc, p, SHORT_RUN, move_short);
    for (; len >= 8; p += 8, len -= 8)
        crc = step8(crc, p);
    for (; len; p++, len--)
        crc = step1(crc, *p);
    return ~crc;
}

#else

#define WAY "table"

static bool ask_instruction(void)
{
    return false;
}

uint32_t hws_crc32c_by_instruction(uint32_t crc, const void *data, size_t len)
{
    return hws_crc32c_by_table(crc, data, len);
}

#endif

/* ---- choice ---- */

static void choose(void)
{
    make_table();
    make_move(move_long, LONG_RUN);
    make_move(move_short, SHORT_RUN);
    has_instruction = ask_instruction();
}

bool hws_crc32c_has_instruction(void)
{
    pthread_once(&once, choose);
    return has_instruction;
}

uint32_t hws_crc32c(uint32_t crc, const void *data, size_t len)
{
    return hws_crc32c_has_instruction() ? hws_crc32c_by_instruction(crc, data, len)
                                        : hws_crc32c_by_table(crc, data, len);
}

const char *hws_crc32c_way(void)
{
    return hws_crc32c_has_instruction() ? WAY : "table";
}
