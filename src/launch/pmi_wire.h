/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_wire: lines on the launcher's descriptor. It knows lines of key=value words, not what they mean.
 */
#ifndef HWS_LAUNCH_PMI_WIRE_H
#define HWS_LAUNCH_PMI_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#define HWS_PMI_LINE_MAX (1 << 24) /* bytes; a longer line is nonsense */

struct hws_pmi_wire {
    int fd;    /* the owner closes it */
    char *buf; /* received bytes that are no whole line yet, and lines not taken; free() it at the end */
    size_t len, cap;
};

/* Writes all of it, waiting if need be. HWS_OK or HWS_ECLOSED. */
int hws_pmi_wire_write(struct hws_pmi_wire *w, const char *data, size_t len);

/* One read; waits for data if `block`. HWS_OK; HWS_EAGAIN: nothing now; HWS_ECLOSED; HWS_ENOMEM; HWS_EPROTO: a line of
 * more than HWS_PMI_LINE_MAX bytes. */
int hws_pmi_wire_read(struct hws_pmi_wire *w, bool block);

/* The first whole line without its end, for the caller to free; NULL: there is none. */
char *hws_pmi_wire_line(struct hws_pmi_wire *w);

/* The value of `key` in a line: a pointer into the line and its length, or NULL. */
const char *hws_pmi_word(const char *line, const char *key, size_t *len);
int hws_pmi_int_word(const char *line, const char *key, int absent);

/* True if the line's cmd is this. */
bool hws_pmi_is_command(const char *line, const char *cmd);

#endif
