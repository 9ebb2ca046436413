/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output: see the header.
 */
#include "mpirun/cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/errors.h"
#include "mpirun/util/buf.h"

static bool is_word(const char *word, size_t len, const char *what)
{
    return strlen(what) == len && strncasecmp(word, what, len) == 0;
}

static void set_pattern(struct hws_output *o, int stream, char *pattern)
{
    free(o->patterns[stream - 1]);
    o->patterns[stream - 1] = pattern;
}

int hws_output_pattern(struct hws_output *o, int stream, const char *flag, const char *pattern, char *err,
                       size_t err_len)
{
    for (const char *at = strchr(pattern, '%'); at; at = strchr(at + 2, '%'))
        if (!at[1] || !strchr("rgph%", at[1])) {
            snprintf(err, err_len,
                     "-%s: '%%%.1s' in '%.100s' is not known: there are %%r (rank), %%g, %%p (number of the host), %%h "
                     "(its name) and %%%%",
                     flag, at + 1, pattern);
            return HWS_EINVAL;
        }
    if (!*pattern) {
        snprintf(err, err_len, "-%s: the name of the file is empty", flag);
        return HWS_EINVAL;
    }
    set_pattern(o, stream, hws_xstrdup(pattern));
    o->is_padded = o->is_copied = false;
    return HWS_OK;
}

/* Names of Open MPI stand for themselves. */
static char *without_percent(const char *name, size_t len)
{
    struct hws_buf out = {0};
    for (size_t i = 0; i < len; i++) {
        hws_buf_append(&out, "%", name[i] == '%');
        hws_buf_append(&out, name + i, 1);
    }
    hws_buf_append(&out, "", 1);
    char *copy = hws_xstrdup(hws_buf_data(&out));
    hws_buf_free(&out);
    return copy;
}

/* The words behind the name, each after a ':'. */
struct options {
    bool no_copy, no_job;
};

static int read_options(struct options *o, const char *flag, const char *words, size_t len, char *err, size_t err_len)
{
    const char *end = words + len;
    while (words < end) {
        const char *word = words + 1, *colon = memchr(word, ':', (size_t)(end - word));
        words = colon ? colon : end;
        size_t n = (size_t)(words - word);
        if (is_word(word, n, "nocopy")) {
            o->no_copy = true;
        } else if (is_word(word, n, "nojobid")) {
            o->no_job = true;
        } else {
            snprintf(err, err_len, "-%s: ':%.*s' cannot be done: there are :nocopy and :nojobid", flag,
                     n < 100 ? (int)n : 100, word);
            return HWS_EINVAL;
        }
    }
    return HWS_OK;
}

/* NAME[:option].. of len characters. */
static int set_names(struct hws_output *o, const char *flag, const char *text, size_t len, bool is_dir, char *err,
                     size_t err_len)
{
    struct options opt = {0};
    const char *colon = memchr(text, ':', len);
    size_t name_len = colon ? (size_t)(colon - text) : len;
    int rc = read_options(&opt, flag, text + name_len, len - name_len, err, err_len);
    if (rc)
        return rc;
    if (!name_len) {
        snprintf(err, err_len, "-%s: the name of the %s is empty", flag, is_dir ? "directory" : "file");
        return HWS_EINVAL;
    }
    char *name = without_percent(text, name_len);
    for (int s = 1; s <= 2; s++)
        set_pattern(o, s,
                    is_dir ? hws_xprintf("%s%s/rank.%%r/%s", name, opt.no_job ? "" : "/1", s == 1 ? "stdout" : "stderr")
                           : hws_xprintf("%s.%%r.%s", name, s == 1 ? "out" : "err"));
    free(name);
    o->is_padded = true;
    o->is_copied = !opt.no_copy;
    return HWS_OK;
}

int hws_output_dir(struct hws_output *o, const char *flag, const char *dir, char *err, size_t err_len)
{
    return set_names(o, flag, dir, strlen(dir), true, err, err_len);
}

static int take_word(struct hws_output *o, const char *flag, const char *word, size_t len, char *err, size_t err_len)
{
    if (is_word(word, len, "tag") || is_word(word, len, "rank")) {
        o->has_tags = true;
        return HWS_OK;
    }
    if (is_word(word, len, "timestamp")) {
        o->has_time = true;
        return HWS_OK;
    }
    if (len >= 4 && strncasecmp(word, "dir=", 4) == 0)
        return set_names(o, flag, word + 4, len - 4, true, err, err_len);
    if (len >= 5 && strncasecmp(word, "file=", 5) == 0)
        return set_names(o, flag, word + 5, len - 5, false, err, err_len);
    snprintf(err, err_len, "-%s: '%.*s' cannot be done: there are tag, timestamp, file=NAME and dir=DIR", flag,
             len < 100 ? (int)len : 100, word);
    return HWS_EINVAL;
}

int hws_output_words(struct hws_output *o, const char *flag, const char *list, char *err, size_t err_len)
{
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        int rc = take_word(o, flag, at, len, err, err_len);
        at += len;
        if (rc || !*at)
            return rc;
    }
}

void hws_output_fini(struct hws_output *o)
{
    set_pattern(o, 1, NULL);
    set_pattern(o, 2, NULL);
}

static void add_field(struct hws_buf *name, char letter, bool is_padded, const struct hws_output_rank *whose)
{
    int width = is_padded ? snprintf(NULL, 0, "%d", whose->size - 1) : 0;
    switch (letter) {
    case 'r':
        hws_buf_printf(name, "%0*d", width, whose->rank);
        break;
    case 'g': /* the group of processes that mpirun starts is the first; MPI_Comm_spawn would make others */
        hws_buf_printf(name, "0");
        break;
    case 'p':
        hws_buf_printf(name, "%d", whose->node);
        break;
    case 'h':
        hws_buf_printf(name, "%s", whose->host);
        break;
    default:
        hws_buf_append(name, &letter, 1);
    }
}

char *hws_output_name(const struct hws_output *o, int stream, const struct hws_output_rank *whose)
{
    struct hws_buf name = {0};
    const char *pattern = o->patterns[stream - 1];
    if (!pattern)
        return NULL;
    for (const char *at = pattern; *at; at++)
        if (*at == '%')
            add_field(&name, *++at, o->is_padded, whose);
        else
            hws_buf_append(&name, at, 1);
    hws_buf_append(&name, "", 1);
    char *text = hws_xstrdup(hws_buf_data(&name));
    hws_buf_free(&name);
    return text;
}
