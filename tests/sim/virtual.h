/* SPDX-License-Identifier: BSD-3-Clause
 *
 * virtual: time that only goes on when a test says so, for the whole process: this file's clock_gettime() takes the
 * place of libc's, for libev too. So seconds of silence cost nothing, and what depends on time is repeatable.
 */
#ifndef HWS_TESTS_VIRTUAL_H
#define HWS_TESTS_VIRTUAL_H

#include <stdint.h>

void virtual_begin(void); /* the real time stops */
void virtual_end(void);
void virtual_pass(uint64_t ns);
uint64_t virtual_now(void); /* ns since virtual_begin() */

#endif
