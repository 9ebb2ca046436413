/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/cli/appfile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpirun/util/buf.h"

#define FILE_BYTES_MAX (16u << 20)

struct split {
    char **words;
    size_t n;
    struct hws_buf word;
    bool in_word;      /* also an empty one, as "" is */
    size_t line_begin; /* number of words before this line's, the ':' included */
};

static void add(struct split *s, char *word)
{
    s->words = hws_xrealloc(s->words, (s->n + 2) * sizeof *s->words);
    s->words[s->n++] = word;
    s->words[s->n] = NULL;
}

static void put(struct split *s, char c)
{
    if (!s->in_word && s->n == s->line_begin && s->n) /* the first word of a line that is not the first */
        add(s, hws_xstrdup(":"));
    s->in_word = true;
    if (c)
        hws_buf_append(&s->word, &c, 1);
}

static void end_word(struct split *s)
{
    if (!s->in_word)
        return;
    add(s, hws_xstrndup(hws_buf_data(&s->word), s->word.len));
    hws_buf_consume(&s->word, s->word.len);
    s->in_word = false;
}

/* The text behind a quoted part that begins at the quote; NULL: it has no end. */
static const char *take_quoted(struct split *s, const char *at)
{
    char quote = *at++;
    put(s, '\0');
    for (; *at && *at != quote; at++) {
        if (quote == '"' && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
            at++;
        put(s, *at);
    }
    return *at ? at + 1 : NULL;
}

static const char *take(struct split *s, const char *at)
{
    if (*at == '\'' || *at == '"')
        return take_quoted(s, at);
    if (*at == '\\' && at[1] == '\n')
        return at + 2;
    if (*at == '\\' && at[1]) {
        put(s, at[1]);
        return at + 2;
    }
    if (*at == '#' && !s->in_word)
        return at + strcspn(at, "\n");
    if (*at == '\n') {
        end_word(s);
        s->line_begin = s->n;
    } else if (*at == ' ' || *at == '\t' || *at == '\r') {
        end_word(s);
    } else {
        put(s, *at);
    }
    return at + 1;
}

char **hws_appfile_split(const char *text, char *err, size_t err_len)
{
    struct split s = {0};
    const char *at = text;
    while (at && *at)
        at = take(&s, at);
    end_word(&s);
    hws_buf_free(&s.word);
    if (at && s.n)
        return s.words;
    snprintf(err, err_len, at ? "it names no program" : "a quote has no end");
    hws_appfile_free(s.words);
    return NULL;
}

char **hws_appfile_read(const char *file, char *err, size_t err_len)
{
    char why[128];
    FILE *f = fopen(file, "re");
    if (!f) {
        snprintf(err, err_len, "'%.200s': %s", file, strerror(errno));
        return NULL;
    }
    struct hws_buf text = {0};
    size_t n;
    while (text.len < FILE_BYTES_MAX && (n = fread(hws_buf_reserve(&text, 8192), 1, 8192, f)) > 0)
        hws_buf_added(&text, n);
    fclose(f);
    hws_buf_append(&text, "", 1);
    char **words = hws_appfile_split(hws_buf_data(&text), why, sizeof why);
    if (!words)
        snprintf(err, err_len, "'%.200s': %s", file, why);
    hws_buf_free(&text);
    return words;
}

void hws_appfile_free(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}
