/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy: what the processor can.
 */
#include "base/copy.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#define KNOWN_TO_LIBC
#include <sys/platform/x86.h>
#endif
#endif
#if defined(__x86_64__) && !defined(KNOWN_TO_LIBC)
#include <cpuid.h>
#endif

bool hws_copy_by_string;

/* The C library has asked at its start; to ask again costs a virtual machine some ten microseconds. */
static bool has_fast_string(void)
{
#if defined(KNOWN_TO_LIBC)
    return CPU_FEATURE_PRESENT(ERMS);
#elif defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 9); /* ERMS: enhanced rep movsb */
#else
    return false;
#endif
}

void hws_copy_setup(void)
{
    hws_copy_by_string = has_fast_string();
}
