/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info: a growing array of pairs per object. Objects are small, so a search is a scan.
 */
#include "core/object/info.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/object/fail.h"
#include "core/object/world.h"

struct pair {
    char *key, *value;
};

struct hws_info {
    struct hws_object obj;
    struct pair *pairs; /* pairs[n] */
    int n;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct hws_info env = {.obj = {.kind = HWS_KIND_INFO, .refs = 1, .handle = 0x131}};
static pthread_once_t env_once = PTHREAD_ONCE_INIT;

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for an info object");
}

struct hws_info *hws_info_new(void)
{
    struct hws_info *i = calloc(1, sizeof *i);
    if (i)
        hws_object_init(&i->obj, HWS_KIND_INFO);
    return i;
}

MPI_Info hws_info_handle(struct hws_info *i)
{
    return (MPI_Info)hws_object_handle(&i->obj);
}

void hws_info_free(struct hws_info *i)
{
    if (!i)
        return;
    for (int k = 0; k < i->n; k++) {
        free(i->pairs[k].key);
        free(i->pairs[k].value);
    }
    i->obj.kind = 0;
    free(i->pairs);
    free(i);
}

static int find(const struct hws_info *i, const char *key)
{
    for (int k = 0; k < i->n; k++)
        if (strcmp(i->pairs[k].key, key) == 0)
            return k;
    return -1;
}

/* Mutex held. False: no memory. */
static bool put(struct hws_info *i, const char *key, const char *value)
{
    int k = find(i, key);
    char *new_value = strdup(value);
    if (!new_value)
        return false;
    if (k >= 0) {
        free(i->pairs[k].value);
        i->pairs[k].value = new_value;
        return true;
    }
    struct pair *grown = realloc(i->pairs, ((size_t)i->n + 1) * sizeof *grown);
    if (grown)
        i->pairs = grown;
    char *new_key = grown ? strdup(key) : NULL;
    if (!new_key) {
        free(new_value);
        return false;
    }
    i->pairs[i->n++] = (struct pair){new_key, new_value};
    return true;
}

int hws_info_set(struct hws_info *i, const char *key, const char *value)
{
    pthread_mutex_lock(&mutex);
    bool ok = put(i, key, value);
    pthread_mutex_unlock(&mutex);
    return ok ? MPI_SUCCESS : no_memory();
}

int hws_info_merge(struct hws_info *i, const struct hws_info *from)
{
    bool ok = true;
    pthread_mutex_lock(&mutex);
    for (int k = 0; from && ok && k < from->n; k++)
        ok = put(i, from->pairs[k].key, from->pairs[k].value);
    pthread_mutex_unlock(&mutex);
    return ok ? MPI_SUCCESS : no_memory();
}

struct hws_info *hws_info_dup(const struct hws_info *from)
{
    struct hws_info *i = hws_info_new();
    if (i && hws_info_merge(i, from) == MPI_SUCCESS)
        return i;
    hws_info_free(i);
    return NULL;
}

int hws_info_delete(struct hws_info *i, const char *key)
{
    pthread_mutex_lock(&mutex);
    int k = find(i, key);
    if (k >= 0) {
        free(i->pairs[k].key);
        free(i->pairs[k].value);
        memmove(&i->pairs[k], &i->pairs[k + 1], (size_t)(--i->n - k) * sizeof *i->pairs);
    }
    pthread_mutex_unlock(&mutex);
    return k >= 0 ? MPI_SUCCESS : hws_fail(MPI_ERR_INFO_NOKEY, "info key is not defined: %s", key);
}

int hws_info_get(const struct hws_info *i, const char *key, char *value, size_t len)
{
    int whole = -1;
    pthread_mutex_lock(&mutex);
    int k = find(i, key);
    if (k >= 0) {
        whole = (int)strlen(i->pairs[k].value);
        snprintf(value, len, "%s", i->pairs[k].value);
    }
    pthread_mutex_unlock(&mutex);
    return whole;
}

int hws_info_count(const struct hws_info *i)
{
    return i->n;
}

bool hws_info_key(const struct hws_info *i, int n, char *key)
{
    pthread_mutex_lock(&mutex);
    bool ok = n >= 0 && n < i->n;
    if (ok)
        snprintf(key, MPI_MAX_INFO_KEY, "%s", i->pairs[n].key);
    pthread_mutex_unlock(&mutex);
    return ok;
}

/* ---- the environment ---- */

/* The command line as the kernel keeps it, for callers without argv. Returns the number of words, their text in buf. */
static int read_cmdline(char *buf, size_t len, char **argv, int max)
{
    FILE *f = fopen("/proc/self/cmdline", "r");
    size_t n = f ? fread(buf, 1, len - 1, f) : 0;
    if (f)
        fclose(f);
    buf[n] = '\0';
    int argc = 0;
    for (size_t at = 0; at < n && argc < max; at += strlen(buf + at) + 1)
        argv[argc++] = buf + at;
    return argc;
}

/* The arguments after the program's name, separated by blanks, cut at whole words. */
static void join(char *dst, size_t len, int argc, char *const *argv)
{
    size_t at = 0;
    dst[0] = '\0';
    for (int k = 1; k < argc && argv[k] && at + strlen(argv[k]) + 2 <= len; k++)
        at += (size_t)snprintf(dst + at, len - at, "%s%s", k > 1 ? " " : "", argv[k]);
}

static const struct {
    const char *name;
    int level;
} thread_levels[] = {{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
                     {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                     {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                     {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}};

const char *hws_thread_level_name(int level)
{
    for (size_t i = 0; i < sizeof thread_levels / sizeof thread_levels[0]; i++)
        if (thread_levels[i].level == level)
            return thread_levels[i].name;
    return thread_levels[0].name;
}

bool hws_thread_level_of(const char *name, int *level)
{
    for (size_t i = 0; i < sizeof thread_levels / sizeof thread_levels[0]; i++)
        if (strcasecmp(thread_levels[i].name, name) == 0) {
            *level = thread_levels[i].level;
            return true;
        }
    return false;
}

static int set_if(struct hws_info *i, const char *key, const char *value)
{
    return value && *value ? hws_info_set(i, key, value) : MPI_SUCCESS;
}

int hws_info_fill_env(struct hws_info *i, int argc, char *const *argv)
{
    char words[MPI_MAX_INFO_VAL], value[MPI_MAX_INFO_VAL], *own[64];
    struct utsname u;
    const char *np = getenv("PMI_SIZE");
    if (argc <= 0 || !argv || !argv[0]) {
        argc = read_cmdline(words, sizeof words, own, 64);
        argv = own;
    }
    int rc = argc > 0 ? set_if(i, "command", strlen(argv[0]) < sizeof value ? argv[0] : NULL) : MPI_SUCCESS;
    join(value, sizeof value, argc, argv);
    rc = rc ? rc : set_if(i, "argv", value);
    snprintf(value, sizeof value, "%d", hws_world.size);
    rc = rc ? rc : set_if(i, "maxprocs", hws_world.size > 0 ? value : np ? np : "1");
    if (!rc && uname(&u) == 0 && (rc = set_if(i, "host", u.nodename)) == MPI_SUCCESS)
        rc = set_if(i, "arch", u.machine);
    rc = rc ? rc : set_if(i, "wdir", getcwd(value, sizeof value));
    return rc ? rc : set_if(i, "thread_level", hws_thread_level_name(hws_world.thread_asked));
}

static void fill_predefined(void)
{
    hws_info_fill_env(&env, 0, NULL);
}

struct hws_info *hws_info_of(MPI_Info h)
{
    if (h != MPI_INFO_ENV)
        return (struct hws_info *)hws_object_of(h, HWS_KIND_INFO);
    pthread_once(&env_once, fill_predefined);
    return &env;
}
