/* SPDX-License-Identifier: BSD-3-Clause
 *
 * proto: encoding and checked decoding.
 */
#include "mpirun/util/proto.h"

#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "launch/pmi.h"

static uint32_t load_u32(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void store_u32(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (char)(v >> (8 * i));
}

static uint64_t load_u64(const char *p)
{
    return load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}

int hws_frame_peek(const struct hws_buf *in, struct hws_proto_frame *f)
{
    if (in->len < HWS_PROTO_HEADER)
        return 0;
    const char *head = hws_buf_data(in);
    uint32_t len = load_u32(head);
    if (len > HWS_PROTO_FRAME_MAX)
        return HWS_EPROTO;
    if (in->len - HWS_PROTO_HEADER < len)
        return 0;
    *f = (struct hws_proto_frame){.type = (enum hws_proto_type)(unsigned char)head[4],
                                  .job = load_u64(head + 5),
                                  .data = head + HWS_PROTO_HEADER,
                                  .len = len};
    return 1;
}

uint32_t hws_read_u32(struct hws_reader *r)
{
    if (r->bad || r->len < 4) {
        r->bad = true;
        return 0;
    }
    uint32_t v = load_u32(r->data);
    r->data += 4;
    r->len -= 4;
    return v;
}

uint64_t hws_read_u64(struct hws_reader *r)
{
    uint64_t low = hws_read_u32(r);
    return low | (uint64_t)hws_read_u32(r) << 32;
}

const char *hws_read_text(struct hws_reader *r, size_t *len)
{
    uint32_t n = hws_read_u32(r);
    *len = 0;
    if (r->bad || n > r->len) {
        r->bad = true;
        return "";
    }
    const char *text = r->data;
    *len = n;
    r->data += n;
    r->len -= n;
    return text;
}

size_t hws_frame_begin(struct hws_buf *out, enum hws_proto_type type, uint64_t job)
{
    size_t begin = out->len;
    char head[HWS_PROTO_HEADER] = {0, 0, 0, 0, (char)type};
    store_u32(head + 5, (uint32_t)job);
    store_u32(head + 9, (uint32_t)(job >> 32));
    hws_buf_append(out, head, sizeof head);
    return begin;
}

void hws_add_u32(struct hws_buf *out, uint32_t v)
{
    char bytes[4];
    store_u32(bytes, v);
    hws_buf_append(out, bytes, sizeof bytes);
}

void hws_add_u64(struct hws_buf *out, uint64_t v)
{
    hws_add_u32(out, (uint32_t)v);
    hws_add_u32(out, (uint32_t)(v >> 32));
}

void hws_add_text(struct hws_buf *out, const char *text, size_t len)
{
    hws_add_u32(out, (uint32_t)len);
    hws_buf_append(out, text, len);
}

void hws_frame_end(struct hws_buf *out, size_t begin)
{
    store_u32(out->base + out->start + begin, (uint32_t)(out->len - begin - HWS_PROTO_HEADER));
}

/* ---- spec ------------------------------------------------------------------------------------------------------ */

/* NULL travels as one byte 0, a string as byte 1 and its characters. */
static void add_string(struct hws_buf *out, const char *s)
{
    size_t len = s ? strlen(s) : 0;
    hws_add_u32(out, (uint32_t)len + 1);
    hws_buf_append(out, s ? "\1" : "\0", 1);
    hws_buf_append(out, s, len);
}

static char *read_string(struct hws_reader *r)
{
    size_t len;
    const char *text = hws_read_text(r, &len);
    if (r->bad || len == 0 || memchr(text + 1, '\0', len - 1)) {
        r->bad = true;
        return NULL;
    }
    return text[0] ? hws_xstrndup(text + 1, len - 1) : NULL;
}

static void add_strings(struct hws_buf *out, char *const *list)
{
    uint32_t n = 0;
    while (list && list[n])
        n++;
    hws_add_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        add_string(out, list[i]);
}

static void free_strings(char **list)
{
    for (size_t i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}

/* A count of items that take at least min_bytes each: never more than the payload can hold. */
static uint32_t read_count(struct hws_reader *r, size_t min_bytes)
{
    uint32_t n = hws_read_u32(r);
    if (n <= r->len / min_bytes)
        return n;
    r->bad = true;
    return 0;
}

static char **read_strings(struct hws_reader *r)
{
    uint32_t n = read_count(r, 5);
    char **list = hws_xcalloc((size_t)n + 1, sizeof *list);
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        list[i] = read_string(r);
        r->bad = r->bad || !list[i];
    }
    return list;
}

void hws_spec_encode(const struct hws_spec *s, struct hws_buf *out)
{
    add_string(out, s->job);
    hws_add_text(out, (const char *)s->secret, sizeof s->secret);
    hws_add_u32(out, (uint32_t)s->size);
    hws_add_u32(out, (uint32_t)s->universe_size);
    hws_add_u32(out, (uint32_t)s->node);
    hws_add_u32(out, (uint32_t)s->stdin_rank);
    add_string(out, s->mapping);
    add_string(out, s->cwd);
    add_strings(out, s->env);
    hws_add_u32(out, (uint32_t)s->n_apps);
    for (int i = 0; i < s->n_apps; i++) {
        add_strings(out, s->apps[i].argv);
        add_string(out, s->apps[i].wdir);
        add_string(out, s->apps[i].path);
        add_strings(out, s->apps[i].env);
        hws_add_u32(out, s->apps[i].takes_listed);
        add_strings(out, s->apps[i].listed);
    }
    hws_add_u32(out, (uint32_t)s->n_ranks);
    for (int i = 0; i < s->n_ranks; i++) {
        hws_add_u32(out, (uint32_t)s->ranks[i].rank);
        hws_add_u32(out, (uint32_t)s->ranks[i].app);
    }
}

static void read_head(struct hws_spec *s, struct hws_reader *r)
{
    size_t secret_len;
    char *job = read_string(r);
    const char *secret = hws_read_text(r, &secret_len);
    if (!job || strlen(job) >= sizeof s->job || secret_len != sizeof s->secret) {
        r->bad = true;
    } else {
        memcpy(s->job, job, strlen(job) + 1);
        s->id = hws_pmi_id_of_job(job, strlen(job));
        memcpy(s->secret, secret, secret_len);
    }
    free(job);
    s->size = (int)hws_read_u32(r);
    s->universe_size = (int)hws_read_u32(r);
    s->node = (int)hws_read_u32(r);
    s->stdin_rank = (int)hws_read_u32(r);
    s->mapping = read_string(r);
    s->cwd = read_string(r);
    s->env = read_strings(r);
    r->bad = r->bad || !s->cwd || s->size < 1 || s->node < 0;
}

static void read_apps(struct hws_spec *s, struct hws_reader *r)
{
    uint32_t n = read_count(r, 26);
    s->apps = hws_xcalloc(n, sizeof *s->apps);
    s->n_apps = (int)n;
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        s->apps[i].argv = read_strings(r);
        s->apps[i].wdir = read_string(r);
        s->apps[i].path = read_string(r);
        s->apps[i].env = read_strings(r);
        s->apps[i].takes_listed = hws_read_u32(r) != 0;
        s->apps[i].listed = read_strings(r);
        r->bad = r->bad || !s->apps[i].argv[0];
    }
}

static void read_ranks(struct hws_spec *s, struct hws_reader *r)
{
    uint32_t n = read_count(r, 8);
    s->ranks = hws_xcalloc(n, sizeof *s->ranks);
    s->n_ranks = (int)n;
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        uint32_t rank = hws_read_u32(r), app = hws_read_u32(r);
        if (rank >= (uint32_t)s->size || app >= (uint32_t)s->n_apps)
            r->bad = true;
        s->ranks[i] = (struct hws_spec_rank){(int)rank, (int)app};
    }
    r->bad = r->bad || n == 0;
}

int hws_spec_decode(struct hws_spec *s, const char *data, size_t len)
{
    struct hws_reader r = {.data = data, .len = len};
    memset(s, 0, sizeof *s);
    read_head(s, &r);
    if (!r.bad)
        read_apps(s, &r);
    if (!r.bad)
        read_ranks(s, &r);
    if (!r.bad && r.len == 0)
        return HWS_OK;
    hws_spec_fini(s);
    return HWS_EPROTO;
}

void hws_spec_fini(struct hws_spec *s)
{
    for (int i = 0; s->apps && i < s->n_apps; i++) {
        free_strings(s->apps[i].argv);
        free(s->apps[i].wdir);
        free(s->apps[i].path);
        free_strings(s->apps[i].env);
        free_strings(s->apps[i].listed);
    }
    free(s->apps);
    free(s->ranks);
    free(s->mapping);
    free(s->cwd);
    free_strings(s->env);
    explicit_bzero(s, sizeof *s);
}
