/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sanitized: HWS_SANITIZED is 1 where a sanitizer has its own malloc and its own code between ours: gcc says so by
 * macros, clang by features.
 */
#ifndef HWS_TEST_SANITIZED_H
#define HWS_TEST_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HWS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HWS_SANITIZED 1
#endif
#endif
#ifndef HWS_SANITIZED
#define HWS_SANITIZED 0
#endif

#endif
