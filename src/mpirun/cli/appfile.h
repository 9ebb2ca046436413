/* SPDX-License-Identifier: BSD-3-Clause
 *
 * appfile: a file with one program and its flags a line, as -configfile and --app name it: the same as the lines with
 * ':' between them on the command line. '#' begins a comment; ' and " hold words together, \\ takes the next letter as
 * it is, and at the end of a line goes on with the next.
 */
#ifndef HWS_MPIRUN_APPFILE_H
#define HWS_MPIRUN_APPFILE_H

#include <stddef.h>

/* The words of such a text, NULL at the end; the caller's to free, with hws_appfile_free(). NULL, with what is wrong in
 * err: there are none, or a quote has no end. */
char **hws_appfile_split(const char *text, char *err, size_t err_len);

/* The same of a file. */
char **hws_appfile_read(const char *file, char *err, size_t err_len);
void hws_appfile_free(char **words); /* NULL allowed */

#endif
