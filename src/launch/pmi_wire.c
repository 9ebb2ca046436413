/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_wire: bytes in and out, one growing buffer, and the search for a word in a line.
 */
#include "launch/pmi_wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/errors.h"

#define LINE_START 4096 /* first size of the buffer */

int hws_pmi_wire_write(struct hws_pmi_wire *w, const char *data, size_t len)
{
    while (len) {
        ssize_t n = send(w->fd, data, len, MSG_NOSIGNAL);
        if (n < 0 && errno == ENOTSOCK)
            n = write(w->fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = w->fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (n < 0)
            return HWS_ECLOSED;
        data += n;
        len -= (size_t)n;
    }
    return HWS_OK;
}

static int make_room(struct hws_pmi_wire *w)
{
    if (w->cap - w->len > LINE_START / 2)
        return HWS_OK;
    size_t cap = w->cap ? w->cap * 2 : LINE_START;
    if (cap > HWS_PMI_LINE_MAX)
        return HWS_EPROTO;
    char *bigger = realloc(w->buf, cap);
    if (!bigger)
        return HWS_ENOMEM;
    w->buf = bigger;
    w->cap = cap;
    return HWS_OK;
}

int hws_pmi_wire_read(struct hws_pmi_wire *w, bool block)
{
    int rc = make_room(w);
    if (rc)
        return rc;
    struct pollfd pfd = {.fd = w->fd, .events = POLLIN};
    ssize_t n = recv(w->fd, w->buf + w->len, w->cap - w->len, block ? 0 : MSG_DONTWAIT);
    if (n < 0 &&
        (errno == ENOTSOCK || (block && errno == EAGAIN))) { /* a pipe; a foreign launcher's own kind of socket */
        if (poll(&pfd, 1, block ? -1 : 0) <= 0)
            return HWS_EAGAIN;
        n = read(w->fd, w->buf + w->len, w->cap - w->len);
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return HWS_EAGAIN;
    if (n <= 0)
        return HWS_ECLOSED;
    w->len += (size_t)n;
    return HWS_OK;
}

char *hws_pmi_wire_line(struct hws_pmi_wire *w)
{
    char *end = w->len ? memchr(w->buf, '\n', w->len) : NULL;
    if (!end)
        return NULL;
    size_t len = (size_t)(end - w->buf);
    char *line = strndup(w->buf, len);
    if (!line)
        return NULL;
    w->len -= len + 1;
    memmove(w->buf, end + 1, w->len);
    return line;
}

const char *hws_pmi_word(const char *line, const char *key, size_t *len)
{
    size_t key_len = strlen(key);
    for (const char *s = line; *s;) {
        s += strspn(s, " ");
        if (strncmp(s, key, key_len) == 0 && s[key_len] == '=') {
            s += key_len + 1;
            *len = strcspn(s, " ");
            return s;
        }
        s += strcspn(s, " ");
    }
    return NULL;
}

int hws_pmi_int_word(const char *line, const char *key, int absent)
{
    size_t len = 0;
    const char *v = hws_pmi_word(line, key, &len);
    return v && len && len < 11 ? atoi(v) : absent;
}

bool hws_pmi_is_command(const char *line, const char *cmd)
{
    size_t len = 0;
    const char *v = hws_pmi_word(line, "cmd", &len);
    return v && len == strlen(cmd) && memcmp(v, cmd, len) == 0;
}
