/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi: PMI-1 client. Owns the inherited descriptor; every request waits for its one answer, except the barrier, whose answer
 * may arrive while another request waits. Called by core/world.c only. The protocol is the one that Hydra and Slurm's pmi2
 * plugin serve.
 */
#include "launch/pmi.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/hash.h"
#include "launch/mapping.h"
#include "launch/pmi_env.h"
#include "launch/pmi_hosts.h"
#include "launch/pmi_wire.h"

#define SECRET_KEY    "hawser-secret"
#define FOREIGN_LINE     1023 /* bytes of a line that other launchers read, whatever they say of values (Slurm, MPICH) */
#define FOREIGN_ANSWER   48   /* of it around the value in an answer */
#define FOREIGN_VALUE 256  /* vallen_max assumed when the launcher does not say */
#define SPLIT_MARK    "#hawser-parts:"
#define FOREIGN_PAUSE_MS 100 /* Hydra drops output that it has not read when the abort arrives */
#define ABORT_WAIT_MS 3000 /* for mpirun's SIGTERM after an abort */

struct hws_pmi {
    enum hws_pmi_launcher launcher;
    struct hws_pmi_wire wire; /* its fd is owned; -1: singleton */
    pid_t owner;
    int rank, size, appnum, universe_size, n_local;
    size_t vallen_max;
    char *kvsname;
    uint64_t job_id;
    bool is_brief;    /* Hawser's mpirun: see ask_hawser() */
    char *mapping;    /* which ranks share a host; NULL: nobody knows */
    char *given;      /* what came with the last barrier_out, or NULL */
    bool has_secret;
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    bool barrier_pending, finalized, is_lost;
    char reason[256];
};

static int fail(struct hws_pmi *p, int rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static int fail(struct hws_pmi *p, int rc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->reason, sizeof p->reason, fmt, ap);
    va_end(ap);
    return rc;
}

/* What a failed read or write on the wire means; rc itself. */
static int note_io(struct hws_pmi *p, int rc)
{
    if (rc == HWS_ECLOSED) {
        p->is_lost = !p->finalized;
        return fail(p, rc, "the launcher of rank %d is gone", p->rank);
    }
    if (rc == HWS_ENOMEM)
        return fail(p, rc, "out of memory for the launcher's answer");
    if (rc == HWS_EPROTO)
        return fail(p, HWS_EPMI, "the launcher sent a line of more than %d bytes", HWS_PMI_LINE_MAX);
    return rc;
}

/* A copy of a word's value, or NULL. */
static char *copy_word(const char *line, const char *key)
{
    size_t len = 0;
    const char *v = hws_pmi_word(line, key, &len);
    return v ? strndup(v, len) : NULL;
}

/* Notes a barrier_out. True: the line was one. */
static bool take_barrier_out(struct hws_pmi *p, const char *line)
{
    if (!hws_pmi_is_command(line, "barrier_out"))
        return false;
    p->barrier_pending = false;
    free(p->given);
    p->given = copy_word(line, "value");
    return true;
}

/* Waits for the answer `cmd`; the caller frees *out. */
static int wait_answer(struct hws_pmi *p, const char *cmd, char **out)
{
    for (;;) {
        char *line = hws_pmi_wire_line(&p->wire);
        if (!line) {
            int rc = note_io(p, hws_pmi_wire_read(&p->wire, true));
            if (rc && rc != HWS_EAGAIN)
                return rc;
            continue;
        }
        if (hws_pmi_is_command(line, cmd)) {
            *out = line;
            return HWS_OK;
        }
        bool expected = p->barrier_pending && take_barrier_out(p, line);
        if (!expected)
            fail(p, HWS_EPMI, "the launcher answered '%.100s' where %s was due", line, cmd);
        free(line);
        if (!expected)
            return HWS_EPMI;
    }
}

static int check_owner(struct hws_pmi *p)
{
    p->reason[0] = '\0';
    if (getpid() == p->owner)
        return HWS_OK;
    return fail(p, HWS_EPMI, "process %d is a child of rank %d and cannot use its connection to the launcher",
                (int)getpid(), p->rank);
}

/* Sends one request line and waits for its answer. A NULL `answer` waits for none. */
static int request(struct hws_pmi *p, const char *answer, char **out, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static int request(struct hws_pmi *p, const char *answer, char **out, const char *fmt, ...)
{
    int rc = check_owner(p);
    if (rc)
        return rc;
    char *text;
    va_list ap;
    va_start(ap, fmt);
    int len = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (len < 0)
        return fail(p, HWS_ENOMEM, "out of memory for a request to the launcher");
    rc = note_io(p, hws_pmi_wire_write(&p->wire, text, (size_t)len));
    free(text);
    return rc || !answer ? rc : wait_answer(p, answer, out);
}

/* ---- open ----------------------------------------------------------------------------------------------------- */

static int set_kvsname(struct hws_pmi *p, const char *line)
{
    size_t len = 0;
    const char *v = hws_pmi_word(line, "kvsname", &len);
    if (!v || !len)
        return fail(p, HWS_EPMI, "the launcher named no key space");
    p->kvsname = strndup(v, len);
    if (!p->kvsname)
        return fail(p, HWS_ENOMEM, "out of memory for the name of the key space");
    p->job_id = hws_hash(HWS_HASH_START, p->kvsname, len);
    return HWS_OK;
}

static int parse_secret(struct hws_pmi *p, const char *hex);

/* What a client that said hawser=1 gets with the first answer. */
static int take_brief(struct hws_pmi *p, const char *line)
{
    char *secret = copy_word(line, "secret");
    p->mapping = copy_word(line, "mapping");
    int rc = secret ? parse_secret(p, secret) : fail(p, HWS_EPMI, "the launcher named no secret");
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
    return rc;
}

/* Hawser's mpirun says everything in its first answer, answers no put and no finalize, and gives a value together with the end
 * of a barrier: of eight round trips three are left, for each of thousands of ranks that share a launcher. */
static int ask_hawser(struct hws_pmi *p, const char *line)
{
    p->is_brief = hws_pmi_int_word(line, "brief", 0) == 1;
    int rc = p->is_brief ? take_brief(p, line) : HWS_OK;
    if (rc)
        return rc;
    p->launcher = HWS_PMI_HAWSER;
    p->appnum = hws_pmi_int_word(line, "appnum", -1);
    p->universe_size = hws_pmi_int_word(line, "universe_size", -1);
    p->vallen_max = (size_t)hws_pmi_int_word(line, "vallen_max", FOREIGN_VALUE);
    rc = set_kvsname(p, line);
    if (rc || p->is_brief)
        return rc;
    rc = hws_pmi_get_whole(p, HWS_MAPPING_KEY, &p->mapping);
    return rc == HWS_EINVAL ? HWS_OK : rc; /* others of the job may not have had to ask: no map of their own */
}

static int ask_int(struct hws_pmi *p, const char *cmd, const char *answer, const char *word, int absent, int *out)
{
    char *line = NULL;
    int rc = request(p, answer, &line, "cmd=%s\n", cmd);
    if (rc)
        return rc;
    *out = hws_pmi_int_word(line, word, absent);
    free(line);
    return HWS_OK;
}

static int read_secret(struct hws_pmi *p)
{
    ssize_t n;
    do
        n = getrandom(p->secret, sizeof p->secret, 0);
    while (n < 0 && errno == EINTR);
    p->has_secret = n == (ssize_t)sizeof p->secret;
    return p->has_secret ? HWS_OK : fail(p, HWS_ESYS, "the kernel gave no random bytes for the job's secret");
}

static int publish_secret(struct hws_pmi *p)
{
    char hex[2 * HWS_PMI_SECRET_BYTES + 1];
    int rc = read_secret(p);
    for (int i = 0; i < HWS_PMI_SECRET_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", p->secret[i]);
    return rc ? rc : hws_pmi_put(p, SECRET_KEY, hex);
}

/* Asks for the launcher's map of hosts. It is one text for all ranks, so all find it missing or cut alike, and make one of
 * their own then. */
static int find_mapping(struct hws_pmi *p)
{
    int rc = hws_pmi_get_whole(p, HWS_MAPPING_KEY, &p->mapping);
    if (rc && rc != HWS_EINVAL)
        return rc;
    if (!rc && hws_mapping_host(p->mapping, p->size - 1, p->size) >= 0)
        return HWS_OK;
    free(p->mapping);
    p->mapping = NULL;
    rc = hws_pmi_hosts_meet(p, &p->mapping);
    return rc == HWS_ENOMEM ? fail(p, rc, "out of memory for the map of hosts") : rc;
}

int hws_pmi_locals(struct hws_pmi *p, int **ranks)
{
    *ranks = NULL;
    int n = p->mapping ? hws_mapping_locals(p->mapping, p->rank, p->size, NULL) : 0;
    if (n == 0 || !(*ranks = malloc((size_t)n * sizeof **ranks)))
        return 0;
    return hws_mapping_locals(p->mapping, p->rank, p->size, *ranks);
}

bool hws_pmi_hosts(struct hws_pmi *p, int *hosts)
{
    return p->mapping && hws_mapping_hosts(p->mapping, p->size, hosts);
}

bool hws_pmi_host_of(const struct hws_pmi *p, int rank, char *dst, size_t len)
{
    const char *name = p->is_brief ? getenv(HWS_PMI_HOSTS_VAR) : NULL;
    int host = name && p->mapping ? hws_mapping_host(p->mapping, rank, p->size) : -1;
    for (; name && host > 0; host--)
        name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL;
    if (!name || host < 0 || strcspn(name, ",") == 0 || strcspn(name, ",") >= len)
        return false;
    snprintf(dst, len, "%.*s", (int)strcspn(name, ","), name);
    return true;
}

static int ask_foreign(struct hws_pmi *p)
{
    int vallen_max = FOREIGN_VALUE;
    char *line = NULL;
    p->launcher = HWS_PMI_FOREIGN;
    int rc = ask_int(p, "get_maxes", "maxes", "vallen_max", FOREIGN_VALUE, &vallen_max);
    p->vallen_max = (size_t)(vallen_max > 64 ? vallen_max : FOREIGN_VALUE);
    if (!rc)
        rc = ask_int(p, "get_appnum", "appnum", "appnum", -1, &p->appnum);
    if (!rc)
        rc = ask_int(p, "get_universe_size", "universe_size", "size", -1, &p->universe_size);
    if (!rc)
        rc = request(p, "my_kvsname", &line, "cmd=get_my_kvsname\n");
    if (!rc)
        rc = set_kvsname(p, line);
    free(line);
    if (rc)
        return rc;
    rc = find_mapping(p);
    if (rc)
        return rc;
    if (p->n_local == 0)
        p->n_local = hws_mapping_locals(p->mapping, p->rank, p->size, NULL);
    return p->rank == 0 ? publish_secret(p) : HWS_OK;
}

static int handshake(struct hws_pmi *p)
{
    char *line = NULL;
    int rc = request(p, "response_to_init", &line, "cmd=init pmi_version=1 pmi_subversion=1%s\n",
                     getenv(HWS_PMI_MARK_VAR) ? " hawser=1" : "");
    if (rc)
        return rc;
    if (hws_pmi_int_word(line, "rc", 0) != 0)
        rc = fail(p, HWS_EPMI, "the launcher refuses PMI 1.1: %.100s", line);
    else
        rc = hws_pmi_int_word(line, "hawser", 0) ? ask_hawser(p, line) : ask_foreign(p);
    explicit_bzero(line, strlen(line)); /* it may hold the secret */
    free(line);
    return rc;
}

/* Children of this rank that call MPI_Init themselves must not take its place. */
static void claim(struct hws_pmi *p)
{
    char text[16];
    snprintf(text, sizeof text, "%d", p->rank);
    fcntl(p->wire.fd, F_SETFD, FD_CLOEXEC);
    setenv("HAWSER_PARENT_RANK", text, 1);
    unsetenv("PMI_FD");
}

int hws_pmi_open(struct hws_pmi **out, char *err, size_t err_len)
{
    struct hws_pmi_env env;
    int rc = hws_pmi_env_read(&env, err, err_len);
    if (rc)
        return rc;
    struct hws_pmi *p = calloc(1, sizeof *p);
    if (!p) {
        snprintf(err, err_len, "out of memory for the launcher's connection");
        return HWS_ENOMEM;
    }
    *p = (struct hws_pmi){.launcher = HWS_PMI_SINGLETON, .wire = {.fd = env.fd}, .owner = getpid(), .rank = env.rank,
                          .size = env.size, .appnum = -1, .universe_size = -1, .n_local = env.n_local};
    if (env.fd >= 0) {
        claim(p);
        rc = handshake(p);
    } else {
        rc = read_secret(p);
        memcpy(&p->job_id, p->secret + 8, sizeof p->job_id);
        p->job_id ^= (uint64_t)getpid(); /* not a part of the secret itself */
    }
    if (rc) {
        snprintf(err, err_len, "%s", p->reason);
        hws_pmi_close(p);
        return rc == HWS_ENOMEM ? rc : HWS_EPMI;
    }
    *out = p;
    return HWS_OK;
}

int hws_pmi_rank(const struct hws_pmi *p)
{
    return p->rank;
}

int hws_pmi_size(const struct hws_pmi *p)
{
    return p->size;
}

int hws_pmi_appnum(const struct hws_pmi *p)
{
    return p->appnum;
}

int hws_pmi_universe_size(const struct hws_pmi *p)
{
    return p->universe_size;
}

int hws_pmi_n_local(const struct hws_pmi *p)
{
    return p->n_local;
}

uint64_t hws_pmi_job_id(const struct hws_pmi *p)
{
    return p->job_id;
}

bool hws_pmi_is_singleton(const struct hws_pmi *p)
{
    return p->launcher == HWS_PMI_SINGLETON;
}

enum hws_pmi_launcher hws_pmi_launcher(const struct hws_pmi *p)
{
    return p->launcher;
}

int hws_pmi_fd(const struct hws_pmi *p)
{
    return p->wire.fd;
}

bool hws_pmi_is_lost(const struct hws_pmi *p)
{
    return p->is_lost;
}

const char *hws_pmi_reason(const struct hws_pmi *p)
{
    return p->reason;
}

/* ---- key space ------------------------------------------------------------------------------------------------ */

static int put_one(struct hws_pmi *p, const char *key, const char *value, size_t len)
{
    char *line = NULL;
    if (p->is_brief)
        return request(p, NULL, NULL, "cmd=put kvsname=%s key=%s value=%.*s\n", p->kvsname, key, (int)len, value);
    int rc = request(p, "put_result", &line, "cmd=put kvsname=%s key=%s value=%.*s\n", p->kvsname, key, (int)len, value);
    if (rc)
        return rc;
    if (hws_pmi_int_word(line, "rc", 0) != 0)
        rc = fail(p, HWS_EPMI, "the launcher refuses key %s: %.100s", key, line);
    free(line);
    return rc;
}

/* *value is the caller's to free. */
static int get_one(struct hws_pmi *p, const char *key, char **value)
{
    char *line = NULL;
    int rc = request(p, "get_result", &line, "cmd=get kvsname=%s key=%s\n", p->kvsname, key);
    if (rc)
        return rc;
    size_t len = 0;
    const char *v = hws_pmi_word(line, "value", &len);
    *value = NULL;
    if (hws_pmi_int_word(line, "rc", 0) != 0 || !v)
        rc = fail(p, HWS_EINVAL, "the launcher knows no key %s", key);
    else if (!(*value = strndup(v, len)))
        rc = fail(p, HWS_ENOMEM, "out of memory for the value of key %s", key);
    free(line);
    return rc;
}

static bool is_word(const char *text, size_t max)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] <= ' ' || (unsigned char)text[i] > '~')
            return false;
    return len > 0 && len <= max;
}

/* Bytes of a value that go into one put; the rest needs more of them, with a number behind the key. */
static size_t value_room(const struct hws_pmi *p, const char *key)
{
    size_t around = strlen("cmd=put kvsname= key=.9999 value=\n") + strlen(p->kvsname) + strlen(key);
    size_t most = FOREIGN_LINE - (around > FOREIGN_ANSWER ? around : FOREIGN_ANSWER), said = p->vallen_max - 1;
    return p->launcher == HWS_PMI_HAWSER || said < most ? said : most;
}

int hws_pmi_put(struct hws_pmi *p, const char *key, const char *value)
{
    int rc = check_owner(p);
    if (rc)
        return rc;
    if (!is_word(key, HWS_PMI_KEY_MAX) || !is_word(value, HWS_PMI_LINE_MAX / 2))
        return fail(p, HWS_EINVAL, "key '%.60s' or its value is empty, too long, or has spaces", key);
    if (p->launcher == HWS_PMI_SINGLETON)
        return HWS_OK; /* there is nobody to read it */
    size_t len = strlen(value), room = value_room(p, key);
    if (len <= room)
        return put_one(p, key, value, len);
    size_t n_parts = (len + room - 1) / room;
    char name[HWS_PMI_KEY_MAX + 16], mark[64];
    for (size_t i = 0; i < n_parts && !rc; i++) {
        size_t left = len - i * room;
        snprintf(name, sizeof name, "%s.%zu", key, i);
        rc = put_one(p, name, value + i * room, left < room ? left : room);
    }
    snprintf(mark, sizeof mark, SPLIT_MARK "%zu", n_parts);
    return rc ? rc : put_one(p, key, mark, strlen(mark));
}

/* Puts `part` behind *value. */
static int append(struct hws_pmi *p, const char *key, const char *part, char **value, size_t *len)
{
    size_t n = strlen(part);
    char *longer = realloc(*value, *len + n + 1);
    if (!longer)
        return fail(p, HWS_ENOMEM, "out of memory for the value of key %s", key);
    memcpy(longer + *len, part, n + 1);
    *value = longer;
    *len += n;
    return HWS_OK;
}

/* A value that its rank has put in parts. */
static int get_parts(struct hws_pmi *p, const char *key, unsigned long n_parts, char **value)
{
    char name[HWS_PMI_KEY_MAX + 24];
    size_t len = 0;
    int rc = HWS_OK;
    *value = NULL;
    for (unsigned long i = 0; i < n_parts && !rc; i++) {
        snprintf(name, sizeof name, "%s.%lu", key, i);
        char *part = NULL;
        rc = get_one(p, name, &part);
        if (!rc)
            rc = append(p, key, part, value, &len);
        free(part);
    }
    if (!rc && !*value)
        rc = fail(p, HWS_EINVAL, "the value of key %s has no parts", key);
    if (rc) {
        free(*value);
        *value = NULL;
    }
    return rc;
}

int hws_pmi_get_whole(struct hws_pmi *p, const char *key, char **value)
{
    int rc = check_owner(p);
    if (rc)
        return rc;
    if (p->launcher == HWS_PMI_SINGLETON || !is_word(key, HWS_PMI_KEY_MAX))
        return fail(p, HWS_EINVAL, "no launcher holds a key '%.60s'", key);
    char *first;
    rc = get_one(p, key, &first);
    if (rc)
        return rc;
    if (strncmp(first, SPLIT_MARK, strlen(SPLIT_MARK)) != 0) {
        *value = first;
        return HWS_OK;
    }
    unsigned long n_parts = strtoul(first + strlen(SPLIT_MARK), NULL, 10);
    free(first);
    return get_parts(p, key, n_parts, value);
}

int hws_pmi_get(struct hws_pmi *p, const char *key, char *value, size_t len)
{
    char *whole = NULL;
    int rc = hws_pmi_get_whole(p, key, &whole);
    if (!rc && strlen(whole) >= len)
        rc = fail(p, HWS_EINVAL, "the value of key %s is longer than %zu characters", key, len - 1);
    if (!rc)
        memcpy(value, whole, strlen(whole) + 1);
    free(whole);
    return rc;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static int parse_secret(struct hws_pmi *p, const char *hex)
{
    if (strlen(hex) != 2 * sizeof p->secret)
        return fail(p, HWS_EPMI, "the job's secret has %zu digits instead of %zu", strlen(hex), 2 * sizeof p->secret);
    for (size_t i = 0; i < sizeof p->secret; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return fail(p, HWS_EPMI, "the job's secret is not hexadecimal");
        p->secret[i] = (unsigned char)(high << 4 | low);
    }
    p->has_secret = true;
    return HWS_OK;
}

int hws_pmi_secret(struct hws_pmi *p, unsigned char out[HWS_PMI_SECRET_BYTES])
{
    char hex[2 * HWS_PMI_SECRET_BYTES + 1];
    if (!p->has_secret) {
        int rc = hws_pmi_get(p, SECRET_KEY, hex, sizeof hex);
        if (!rc)
            rc = parse_secret(p, hex);
        explicit_bzero(hex, sizeof hex);
        if (rc)
            return rc;
    }
    memcpy(out, p->secret, HWS_PMI_SECRET_BYTES);
    return HWS_OK;
}

/* ---- barrier and end ------------------------------------------------------------------------------------------ */

/* wanted: a key whose value shall come with the barrier's end, or NULL. */
static int begin_barrier(struct hws_pmi *p, const char *wanted)
{
    if (p->launcher == HWS_PMI_SINGLETON)
        return HWS_OK;
    if (p->barrier_pending)
        return fail(p, HWS_EINVAL, "a barrier is already under way");
    p->barrier_pending = true;
    if (wanted)
        return request(p, NULL, NULL, "cmd=barrier_in key=%s\n", wanted);
    return request(p, NULL, NULL, "cmd=barrier_in\n");
}

int hws_pmi_barrier_begin(struct hws_pmi *p)
{
    return begin_barrier(p, NULL);
}

bool hws_pmi_barrier_is_done(const struct hws_pmi *p)
{
    return !p->barrier_pending;
}

int hws_pmi_on_readable(struct hws_pmi *p)
{
    if (p->launcher == HWS_PMI_SINGLETON)
        return HWS_OK;
    int rc = check_owner(p);
    if (!rc)
        rc = note_io(p, hws_pmi_wire_read(&p->wire, false));
    if (rc)
        return rc == HWS_EAGAIN ? HWS_OK : rc;
    char *line;
    while (!rc && (line = hws_pmi_wire_line(&p->wire))) {
        if (!take_barrier_out(p, line))
            rc = fail(p, HWS_EPMI, "the launcher sent '%.100s' unasked", line);
        free(line);
    }
    return rc;
}

static int end_barrier(struct hws_pmi *p)
{
    int rc = HWS_OK;
    while (!rc && p->barrier_pending) {
        poll(&(struct pollfd){.fd = p->wire.fd, .events = POLLIN}, 1, -1);
        rc = hws_pmi_on_readable(p);
    }
    return rc;
}

int hws_pmi_barrier(struct hws_pmi *p)
{
    int rc = begin_barrier(p, NULL);
    return rc ? rc : end_barrier(p);
}

int hws_pmi_barrier_get(struct hws_pmi *p, const char *key, char *value, size_t len)
{
    int rc = begin_barrier(p, p->is_brief ? key : NULL);
    if (!rc)
        rc = end_barrier(p);
    value[0] = '\0';
    if (!rc && p->is_brief && p->given && strlen(p->given) < len)
        memcpy(value, p->given, strlen(p->given) + 1);
    else if (!rc && !p->is_brief && hws_pmi_get(p, key, value, len) != HWS_OK)
        value[0] = '\0';
    return rc;
}

/* Waits to be killed: if this rank left at once, its neighbours would see a broken connection and complain about that. */
static void abort_hawser(struct hws_pmi *p, int code, const char *text)
{
    char *line = strdup(text); /* one line: the protocol's unit */
    for (char *s = line; s && *s; s++)
        *s = (unsigned char)*s < ' ' ? ' ' : *s;
    int rc = request(p, NULL, NULL, "cmd=abort exitcode=%d text=%s\n", code, line ? line : "");
    free(line);
    struct pollfd pfd = {.fd = p->wire.fd, .events = POLLIN};
    while (!rc && poll(&pfd, 1, ABORT_WAIT_MS) == 1)
        rc = note_io(p, hws_pmi_wire_read(&p->wire, false));
}

void hws_pmi_abort(struct hws_pmi *p, int code, const char *text)
{
    if (p->launcher == HWS_PMI_SINGLETON || check_owner(p) != HWS_OK || p->is_lost) {
        fprintf(stderr, "hawser: %s\n", text);
        return;
    }
    if (p->launcher == HWS_PMI_FOREIGN) {
        fprintf(stderr, "hawser: %s\n", text);
        poll(NULL, 0, FOREIGN_PAUSE_MS);
        request(p, NULL, NULL, "cmd=abort exitcode=%d\n", code);
        return;
    }
    abort_hawser(p, code, text);
}

int hws_pmi_finalize(struct hws_pmi *p)
{
    if (p->launcher == HWS_PMI_SINGLETON)
        return HWS_OK;
    char *line = NULL;
    int rc = request(p, p->is_brief ? NULL : "finalize_ack", &line, "cmd=finalize\n");
    free(line);
    p->finalized = rc == HWS_OK;
    return rc;
}

void hws_pmi_die(const struct hws_pmi *p)
{
    dprintf(STDERR_FILENO, "hawser: rank %d (pid %d): the launcher died, so this rank ends\n", p->rank, (int)getpid());
    _exit(1);
}

void hws_pmi_close(struct hws_pmi *p)
{
    if (!p)
        return;
    if (p->wire.fd >= 0)
        close(p->wire.fd);
    explicit_bzero(p->secret, sizeof p->secret);
    free(p->kvsname);
    free(p->mapping);
    free(p->given);
    if (p->wire.buf)
        explicit_bzero(p->wire.buf, p->wire.cap); /* the secret came through it */
    free(p->wire.buf);
    free(p);
}
