/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alloc: Slurm's nodelist grammar is a list of names at commas outside brackets; a name has at most a few brackets,
 * each a list of numbers and ranges whose width (leading zeros) counts.
 */
#include "mpirun/place/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"
#include "mpirun/util/buf.h"

#define NAME_MAX_LEN 255
#define HOSTS_MAX    65536 /* more is a mistake, or an attack on the memory */

/* "07" or "7": its value and width. Returns the text behind it, NULL if it is no number. */
static const char *parse_number(const char *s, const char *end, unsigned long *value, int *width)
{
    const char *start = s;
    *value = 0;
    while (s < end && isdigit((unsigned char)*s))
        *value = *value * 10 + (unsigned long)(*s++ - '0');
    *width = (int)(s - start);
    return *width > 0 && *width < 10 ? s : NULL;
}

static int expand_name(struct hws_host_list *h, const char *done, size_t done_len, const char *s, const char *end);

/* One "3" or "07-12" of a bracket, followed by `rest`. */
static int expand_range(struct hws_host_list *h, const char *done, size_t done_len, const char *s, const char *s_end,
                        const char *rest, const char *end)
{
    unsigned long low, high;
    int width, high_width;
    const char *at = parse_number(s, s_end, &low, &width);
    high = low;
    if (at && at < s_end && *at == '-')
        at = parse_number(at + 1, s_end, &high, &high_width);
    if (!at || at != s_end || high < low || high - low >= HOSTS_MAX)
        return HWS_EINVAL;
    for (unsigned long v = low; v <= high; v++) {
        char name[NAME_MAX_LEN + 16];
        int n = snprintf(name, sizeof name, "%.*s%0*lu", (int)done_len, done, width, v);
        int rc = n > NAME_MAX_LEN ? HWS_EINVAL : expand_name(h, name, (size_t)n, rest, end);
        if (rc)
            return rc;
    }
    return HWS_OK;
}

static int expand_bracket(struct hws_host_list *h, const char *done, size_t done_len, const char *s, const char *end)
{
    const char *close = memchr(s, ']', (size_t)(end - s));
    if (!close)
        return HWS_EINVAL;
    for (const char *item = s + 1; item <= close;) {
        const char *comma = memchr(item, ',', (size_t)(close - item));
        const char *item_end = comma ? comma : close;
        int rc = expand_range(h, done, done_len, item, item_end, close + 1, end);
        if (rc)
            return rc;
        item = item_end + 1;
    }
    return HWS_OK;
}

/* The rest s..end of a name whose beginning `done` is settled. */
static int expand_name(struct hws_host_list *h, const char *done, size_t done_len, const char *s, const char *end)
{
    char name[NAME_MAX_LEN + 1];
    const char *bracket = memchr(s, '[', (size_t)(end - s));
    size_t plain = (size_t)((bracket ? bracket : end) - s);
    if (done_len + plain > NAME_MAX_LEN)
        return HWS_EINVAL;
    memcpy(name, done, done_len);
    memcpy(name + done_len, s, plain);
    if (bracket)
        return expand_bracket(h, name, done_len + plain, bracket, end);
    for (size_t i = 0; i < done_len + plain; i++)
        if (!isalnum((unsigned char)name[i]) && (!strchr(".-_", name[i]) || i == 0))
            return HWS_EINVAL;
    if (done_len + plain == 0 || h->n >= HOSTS_MAX)
        return HWS_EINVAL;
    hws_hosts_add(h, name, done_len + plain, 0, 0);
    return HWS_OK;
}

/* The end of the name at s: the next comma outside brackets. */
static const char *name_end(const char *s)
{
    bool is_inside = false;
    for (; *s && (is_inside || *s != ','); s++)
        is_inside = *s == '[' || (is_inside && *s != ']');
    return s;
}

int hws_nodelist_expand(struct hws_host_list *h, const char *text, char *err, size_t err_len)
{
    const char *s = text;
    for (;;) {
        const char *end = name_end(s);
        if (expand_name(h, "", 0, s, end) != HWS_OK) {
            snprintf(err, err_len, "'%.*s' of the node list '%.200s' is not a list of hosts",
                     (int)(end - s < 100 ? end - s : 100), s, text);
            return HWS_EINVAL;
        }
        if (!*end)
            return HWS_OK;
        s = end + 1;
    }
}

int hws_nodelist_set_slots(struct hws_host_list *h, const char *text, char *err, size_t err_len)
{
    const char *s = text, *end = text + strlen(text);
    int at = 0;
    while (s && *s) {
        unsigned long slots, times = 1;
        int width;
        s = parse_number(s, end, &slots, &width);
        if (s && strncmp(s, "(x", 2) == 0) {
            s = parse_number(s + 2, end, &times, &width);
            s = s && *s == ')' ? s + 1 : NULL;
        }
        if (!s || (*s && *s != ',') || slots < 1 || slots > HWS_SLOTS_MAX || times > (unsigned long)(h->n - at)) {
            s = NULL;
            break;
        }
        while (times--)
            h->list[at++].slots = (int)slots;
        s += *s == ',';
    }
    if (s && !*s && at == h->n)
        return HWS_OK;
    snprintf(err, err_len, "'%.200s' does not give slots for %d hosts", text, h->n);
    return HWS_EINVAL;
}

static const char *first_set(const char *const *names, size_t n, const char **name)
{
    for (size_t i = 0; i < n; i++) {
        const char *v = getenv(names[i]);
        if (v && *v) {
            *name = names[i];
            return v;
        }
    }
    return NULL;
}

static int read_slurm(struct hws_host_list *h, const char *nodes, const char *name, char *err, size_t err_len)
{
    static const char *const vars[] = {"SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"};
    char wrong[512];
    const char *slots_name = "";
    const char *slots = first_set(vars, HWS_ARRAY_LEN(vars), &slots_name);
    int rc = hws_nodelist_expand(h, nodes, wrong, sizeof wrong);
    if (!rc && slots) {
        name = slots_name;
        rc = hws_nodelist_set_slots(h, slots, wrong, sizeof wrong);
    }
    if (rc)
        snprintf(err, err_len, "%s: %s", name, wrong);
    return rc;
}

static int read_list(struct hws_host_list *h, const char *nodes, const char *name, char *err, size_t err_len)
{
    (void)name;
    return hws_hosts_read_file(h, nodes, err, err_len);
}

/* The words of a list up to its end or the end of the line; text goes on behind the word. 0: there is none. */
static size_t next_word(const char **text, const char **word)
{
    *word = *text + strspn(*text, " \t\r");
    size_t len = strcspn(*word, " \t\r\n");
    *text = *word + len;
    return len;
}

/* "host 4" at the beginning of text: adds the host. */
static bool add_pair(struct hws_host_list *h, const char **text)
{
    const char *name, *number;
    size_t name_len = next_word(text, &name), len = next_word(text, &number);
    unsigned long slots = 0;
    int width;
    if (!name_len || name_len > NAME_MAX_LEN || !len ||
        parse_number(number, number + len, &slots, &width) != number + len || slots < 1 || slots > HWS_SLOTS_MAX)
        return false;
    hws_hosts_add(h, name, name_len, (int)slots, 0);
    return true;
}

int hws_hosts_parse_pairs(struct hws_host_list *h, const char *text, char *err, size_t err_len)
{
    const char *at = text, *before;
    for (before = at; *(at += strspn(at, " \t\r\n")); before = at)
        if (!add_pair(h, &at)) {
            snprintf(err, err_len, "'%.100s' is not a host and its slots", before + strspn(before, " \t\r\n"));
            return HWS_EINVAL;
        }
    return HWS_OK;
}

/* LSF's "a 4 b 2". */
static int read_pairs(struct hws_host_list *h, const char *text, const char *name, char *err, size_t err_len)
{
    char wrong[512];
    int rc = hws_hosts_parse_pairs(h, text, wrong, sizeof wrong);
    if (rc)
        snprintf(err, err_len, "%s: %s", name, wrong);
    return rc;
}

/* LSF's "a a b", a word for each slot. */
static int read_words(struct hws_host_list *h, const char *text, const char *name, char *err, size_t err_len)
{
    const char *word;
    size_t len;
    (void)name, (void)err, (void)err_len;
    while ((len = next_word(&text, &word)))
        hws_hosts_add(h, word, len, 0, 0);
    return HWS_OK;
}

/* Grid Engine's file of "host slots queue processors" lines. */
static int read_sge(struct hws_host_list *h, const char *file, const char *name, char *err, size_t err_len)
{
    FILE *f = fopen(file, "re");
    char *line = NULL;
    size_t room = 0;
    int rc = HWS_OK;
    if (!f) {
        snprintf(err, err_len, "%s: '%.200s': %s", name, file, strerror(errno));
        return HWS_EINVAL;
    }
    while (!rc && getline(&line, &room, f) > 0) {
        const char *at = line;
        if (line[strspn(line, " \t\r\n")] && !add_pair(h, &at)) {
            snprintf(err, err_len, "%s: '%.200s': '%.*s' is not a host and its slots", name, file,
                     (int)strcspn(line, "\n"), line);
            rc = HWS_EINVAL;
        }
    }
    free(line);
    fclose(f);
    return rc;
}

int hws_alloc_read(struct hws_host_list *h, char *err, size_t err_len)
{
    /* The first that is set: what is named on purpose, then batch systems. */
    static const struct {
        const char *name;
        int (*read)(struct hws_host_list *h, const char *value, const char *name, char *err, size_t err_len);
    } sources[] = {{"HAWSER_HOSTFILE", read_list},
                   {"HYDRA_HOST_FILE", read_list},
                   {"OMPI_MCA_orte_default_hostfile", read_list},
                   {"PRTE_MCA_prte_default_hostfile", read_list},
                   {"I_MPI_HYDRA_HOST_FILE", read_list},
                   {"SLURM_JOB_NODELIST", read_slurm},
                   {"SLURM_NODELIST", read_slurm},
                   {"PE_HOSTFILE", read_sge},        /* Grid Engine */
                   {"LSB_DJOB_HOSTFILE", read_list}, /* LSF: a line for each slot */
                   {"LSB_MCPU_HOSTS", read_pairs},
                   {"LSB_HOSTS", read_words},
                   {"OAR_NODEFILE", read_list},
                   {"OAR_FILE_NODES", read_list},
                   {"COBALT_NODEFILE", read_list},
                   {"PBS_NODEFILE", read_list}};
    for (size_t i = 0; i < HWS_ARRAY_LEN(sources); i++) {
        const char *value = getenv(sources[i].name);
        if (value && *value)
            return sources[i].read(h, value, sources[i].name, err, err_len);
    }
    return HWS_OK;
}
