/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file: small files of the kernel's (/proc, /sys), read whole.
 */
#ifndef HWS_BASE_FILE_H
#define HWS_BASE_FILE_H

#include <stddef.h>

/* The text of a file, at most len - 1 bytes of it, into `text`, which is returned; "" if it can't be read. */
const char *hws_file_text(const char *path, char *text, size_t len);

/* The state of a process as /proc/PID/stat has it: 'R' runs or could, 'S' sleeps, 'T' and 't' are stopped, 'Z' and 'X'
 * have ended; 0: there is none, or it can't be seen. */
char hws_process_state(int pid);

#endif
