/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_server: one handler per command in a table; a line is key=value words. Whatever a rank sends is checked: an
 * unknown command is answered with an error, a line without a command ends the connection.
 */
#include "mpirun/pmi/pmi_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"
#include "launch/mapping.h"
#include "mpirun/pmi/kvs.h"

#define SECRET_KEY  "hawser-secret"
#define MAPPING_MAX 1000 /* bytes of the mapping for who asks for it: MPICH reads lines of 1024 */

struct hws_pmi_server {
    const struct hws_spec *spec;
    struct hws_pmi_conn **conns;
    int n_conns, n_in_barrier, n_absent;
    bool asks; /* not all keys of the job are here */
    struct hws_kvs *kvs;
    struct hws_pmi_server_events ev;
    void *arg;
};

struct word {
    const char *text; /* NULL: absent */
    size_t len;
};

static struct word find_word(const char *line, const char *key)
{
    size_t key_len = strlen(key);
    for (const char *s = line; *s; s += strcspn(s, " ")) {
        s += strspn(s, " ");
        if (strncmp(s, key, key_len) == 0 && s[key_len] == '=')
            return (struct word){s + key_len + 1, strcspn(s + key_len + 1, " ")};
    }
    return (struct word){NULL, 0};
}

static int int_word(const char *line, const char *key, int absent)
{
    struct word w = find_word(line, key);
    return w.text && w.len && w.len < 11 ? atoi(w.text) : absent;
}

static bool is_word(struct word w, const char *text)
{
    return w.text && w.len == strlen(text) && memcmp(w.text, text, w.len) == 0;
}

static void append_secret(const struct hws_pmi_server *s, struct hws_buf *out)
{
    for (int i = 0; i < HWS_SECRET_BYTES; i++)
        hws_buf_printf(out, "%02x", s->spec->secret[i]);
}

static int on_init(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    bool is_known = int_word(line, "pmi_version", 1) == 1;
    if (is_known && c->state == HWS_RANK_STARTED)
        hws_rank_become(&c->state, HWS_RANK_IN_MPI);
    c->is_brief = int_word(line, "hawser", 0) == 1;
    hws_buf_printf(&c->out,
                   "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=%d hawser=1 appnum=%d universe_size=%d "
                   "vallen_max=%d kvsname=%s",
                   is_known ? 0 : -1, c->app, s->spec->universe_size, HWS_PMI_VALUE_MAX, s->spec->job);
    if (c->is_brief) {
        if (s->spec->mapping)
            hws_buf_printf(&c->out, " mapping=%s", s->spec->mapping);
        hws_buf_printf(&c->out, " brief=1 secret=");
        append_secret(s, &c->out);
    }
    hws_buf_printf(&c->out, "\n");
    return HWS_OK;
}

static int on_get_maxes(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    (void)s;
    (void)line;
    hws_buf_printf(&c->out, "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=%d\n", HWS_PMI_VALUE_MAX);
    return HWS_OK;
}

static int on_get_appnum(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    (void)s;
    (void)line;
    hws_buf_printf(&c->out, "cmd=appnum rc=0 appnum=%d\n", c->app);
    return HWS_OK;
}

static int on_get_kvsname(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    (void)line;
    hws_buf_printf(&c->out, "cmd=my_kvsname rc=0 kvsname=%s\n", s->spec->job);
    return HWS_OK;
}

static int on_get_universe_size(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    (void)line;
    hws_buf_printf(&c->out, "cmd=universe_size rc=0 size=%d\n", s->spec->universe_size);
    return HWS_OK;
}

static int on_put(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    struct word key = find_word(line, "key"), value = find_word(line, "value");
    bool is_good = key.text && key.len && value.text;
    if (is_good)
        hws_kvs_put(s->kvs, key.text, key.len, value.text, value.len);
    if (!is_good || !c->is_brief)
        hws_buf_printf(&c->out, "cmd=put_result rc=%d msg=%s\n", is_good ? 0 : -1,
                       is_good ? "success" : "no_key_or_value");
    return HWS_OK;
}

static void answer_secret(struct hws_pmi_server *s, struct hws_pmi_conn *c)
{
    hws_buf_printf(&c->out, "cmd=get_result rc=0 msg=success value=");
    append_secret(s, &c->out);
    hws_buf_printf(&c->out, "\n");
}

static void answer_get(struct hws_pmi_conn *c, const char *value)
{
    if (value)
        hws_buf_printf(&c->out, "cmd=get_result rc=0 msg=success value=%s\n", value);
    else
        hws_buf_printf(&c->out, "cmd=get_result rc=-1 msg=key_not_found\n");
}

/* One question at a time for all ranks here that wait for the same key. */
static void ask(struct hws_pmi_server *s, struct hws_pmi_conn *c, struct word key)
{
    char *text = hws_xstrndup(key.text, key.len);
    bool is_asked = false;
    for (int i = 0; i < s->n_conns && !is_asked; i++)
        is_asked = s->conns[i]->asked && strcmp(s->conns[i]->asked, text) == 0;
    c->asked = text;
    if (!is_asked)
        s->ev.on_miss(s->arg, text); /* may answer at once, which frees the text */
}

static int on_get(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    struct word key = find_word(line, "key");
    if (c->asked)
        return HWS_EPROTO;
    if (is_word(key, SECRET_KEY)) {
        answer_secret(s, c);
        return HWS_OK;
    }
    if (is_word(key, HWS_MAPPING_KEY)) {
        answer_get(c, s->spec->mapping && strlen(s->spec->mapping) <= MAPPING_MAX ? s->spec->mapping : NULL);
        return HWS_OK;
    }
    const char *value = key.text ? hws_kvs_get(s->kvs, key.text, key.len) : NULL;
    if (!value && key.text && key.len && s->asks)
        ask(s, c, key);
    else
        answer_get(c, value);
    return HWS_OK;
}

static void check_barrier(struct hws_pmi_server *s)
{
    if (!s->n_in_barrier || s->n_in_barrier + s->n_absent < s->n_conns)
        return;
    struct hws_buf batch = {0};
    hws_kvs_take_batch(s->kvs, &batch);
    s->ev.on_barrier(s->arg, &batch);
    hws_buf_free(&batch);
}

static int on_barrier_in(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    struct word key = find_word(line, "key");
    if (c->in_barrier)
        return HWS_EPROTO;
    c->in_barrier = true;
    c->wanted = key.text && key.len ? hws_xstrndup(key.text, key.len) : NULL;
    s->n_in_barrier++;
    check_barrier(s);
    return HWS_OK;
}

static int on_finalize(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    (void)s;
    (void)line;
    if (c->state == HWS_RANK_IN_MPI)
        hws_rank_become(&c->state, HWS_RANK_FINALIZED);
    if (!c->is_brief)
        hws_buf_printf(&c->out, "cmd=finalize_ack rc=0\n");
    return HWS_OK;
}

static int on_abort(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    const char *text = strstr(line, " text="); /* the rest of the line, spaces and all */
    if (c->state != HWS_RANK_ABORTED)
        hws_rank_become(&c->state, HWS_RANK_ABORTED);
    s->ev.on_abort(s->arg, c->rank, int_word(line, "exitcode", 1), text ? text + strlen(" text=") : "");
    return HWS_OK;
}

static const struct {
    const char *cmd;
    int (*handle)(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line);
} commands[] = {
    {"get", on_get},
    {"put", on_put},
    {"barrier_in", on_barrier_in},
    {"init", on_init},
    {"finalize", on_finalize},
    {"get_maxes", on_get_maxes},
    {"get_appnum", on_get_appnum},
    {"get_my_kvsname", on_get_kvsname},
    {"get_universe_size", on_get_universe_size},
    {"abort", on_abort},
};

static int handle_line(struct hws_pmi_server *s, struct hws_pmi_conn *c, const char *line)
{
    struct word cmd = find_word(line, "cmd");
    if (!cmd.text)
        return HWS_EPROTO;
    for (size_t i = 0; i < HWS_ARRAY_LEN(commands); i++)
        if (is_word(cmd, commands[i].cmd))
            return commands[i].handle(s, c, line);
    hws_buf_printf(&c->out, "cmd=%.*s rc=-1 msg=unknown_command\n", cmd.len < 64 ? (int)cmd.len : 64, cmd.text);
    return HWS_OK;
}

int hws_pmi_server_feed(struct hws_pmi_server *s, struct hws_pmi_conn *conn, const char *data, size_t len)
{
    hws_buf_append(&conn->in, data, len);
    int rc = HWS_OK;
    const char *end;
    while (!rc && conn->in.len && (end = memchr(hws_buf_data(&conn->in), '\n', conn->in.len))) {
        size_t line_len = (size_t)(end - hws_buf_data(&conn->in));
        char *line = hws_xstrndup(hws_buf_data(&conn->in), line_len);
        hws_buf_consume(&conn->in, line_len + 1);
        rc = handle_line(s, conn, line);
        free(line);
    }
    if (conn->out.len)
        s->ev.on_output(s->arg, conn);
    return rc || conn->in.len <= HWS_PMI_LINE_MAX ? rc : HWS_EPROTO;
}

static void release_one(struct hws_pmi_server *s, struct hws_pmi_conn *c)
{
    const char *value = c->wanted ? hws_kvs_get(s->kvs, c->wanted, strlen(c->wanted)) : NULL;
    c->in_barrier = false;
    free(c->wanted);
    c->wanted = NULL;
    hws_buf_printf(&c->out, "cmd=barrier_out rc=0%s%s\n", value ? " value=" : "", value ? value : "");
    s->ev.on_output(s->arg, c);
}

int hws_pmi_server_release(struct hws_pmi_server *s, const char *batch, size_t len)
{
    int rc = hws_kvs_put_batch(s->kvs, batch, len);
    s->n_in_barrier = 0;
    for (int i = 0; i < s->n_conns; i++)
        release_one(s, s->conns[i]);
    return rc;
}

void hws_pmi_server_absent(struct hws_pmi_server *s)
{
    s->n_absent++;
    check_barrier(s);
}

void hws_pmi_server_ask(struct hws_pmi_server *s)
{
    s->asks = true;
}

void hws_pmi_server_value(struct hws_pmi_server *s, const char *key, const char *value)
{
    char *own = hws_xstrdup(key); /* it may be the text of the one that asked */
    for (int i = 0; i < s->n_conns; i++) {
        struct hws_pmi_conn *c = s->conns[i];
        if (!c->asked || strcmp(c->asked, own) != 0)
            continue;
        free(c->asked);
        c->asked = NULL;
        answer_get(c, value);
        s->ev.on_output(s->arg, c);
    }
    free(own);
}

struct hws_pmi_server *hws_pmi_server_open(const struct hws_spec *spec, struct hws_pmi_conn **conns, int n,
                                           const struct hws_pmi_server_events *ev, void *arg)
{
    struct hws_pmi_server *s = hws_xcalloc(1, sizeof *s);
    *s = (struct hws_pmi_server){
        .spec = spec, .conns = conns, .n_conns = n, .kvs = hws_kvs_open(), .ev = *ev, .arg = arg};
    return s;
}

void hws_pmi_server_fini(struct hws_pmi_server *s)
{
    if (s)
        hws_kvs_fini(s->kvs);
    free(s);
}

void hws_pmi_conn_fini(struct hws_pmi_conn *c)
{
    hws_buf_free(&c->in);
    hws_buf_free(&c->out);
    free(c->wanted);
    free(c->asked);
}
