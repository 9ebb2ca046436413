/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse: a command line's sections, one for each program, flags before the program's name. One or two dashes are alike,
 * and -flag=value is -flag value.
 */
#include "mpirun/cli/parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "mpirun/cli/flags.h"
#include "mpirun/cli/foreign.h"
#include "mpirun/util/buf.h"

/* Takes the flag at argv[0] with its values. Returns how many words it took, or HWS_EINVAL. */
static int take_flag(struct hws_parse *p, char **argv)
{
    const char *name = argv[0] + (argv[0][1] == '-' ? 2 : 1);
    size_t len = strcspn(name, "=");
    const struct hws_flag *f = hws_flag_find(name, len);
    bool is_joined = name[len] == '=';
    if (!f || (is_joined && f->n_values != 1))
        return hws_flag_unknown(p, argv[0], name, len);
    char *joined[2] = {(char *)name + len + 1, NULL};
    for (int i = 1; i <= f->n_values && !is_joined; i++)
        if (!argv[i])
            return hws_parse_fail(
                p, f->n_values == 1 ? "flag '%.100s' needs a value" : "flag '%.100s' needs two values", argv[0]);
    int rc = f->set(p, f->name, is_joined ? joined : argv + 1);
    return rc ? rc : is_joined ? 1 : 1 + f->n_values;
}

static void begin_app(struct hws_parse *p)
{
    struct hws_args *a = p->a;
    a->apps = hws_xrealloc(a->apps, (size_t)(a->n_apps + 1) * sizeof *a->apps);
    p->app = &a->apps[a->n_apps++];
    *p->app = (struct hws_args_app){.map = p->map};
    if (a->n_apps > 1) /* what -x says before the first ':' holds for all programs */
        hws_env_add_all(&p->app->env, a->apps[0].env.vars);
}

static int take_all(struct hws_parse *p, char **argv);

/* The sections of a file, the first of which has begun; nothing but ':' may stand behind its name. */
static int take_file(struct hws_parse *p, char *const *behind)
{
    char **words = p->file;
    p->file = NULL;
    p->has_begun = true;
    if (*behind && strcmp(*behind, ":") != 0)
        return hws_parse_fail(p, "the program stands in the file, '%.100s' stands behind it", *behind);
    return take_all(p, words);
}

/* One section up to ':' or the end. Returns the words it took, or HWS_EINVAL. */
static int take_section(struct hws_parse *p, char **argv)
{
    int i = 0;
    if (!p->has_begun)
        begin_app(p);
    p->has_begun = false;
    while (argv[i] && argv[i][0] == '-' && argv[i][1] && p->a->action == HWS_ARGS_RUN) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        int n = take_flag(p, argv + i);
        if (n < 0)
            return n;
        i += n;
        if (p->file && p->a->action == HWS_ARGS_RUN) {
            int rc = take_file(p, argv + i);
            return rc ? rc : i;
        }
    }
    if (p->a->action != HWS_ARGS_RUN)
        return i;
    int first = i;
    while (argv[i] && strcmp(argv[i], ":") != 0)
        i++;
    if (i == first)
        return hws_parse_fail(p, argv[i] ? "no program before ':'%s" : "no program given (mpirun -h shows how)%s", "");
    p->app->argc = i - first;
    p->app->argv = hws_xcalloc((size_t)(i - first) + 1, sizeof *p->app->argv);
    memcpy(p->app->argv, argv + first, (size_t)(i - first) * sizeof *p->app->argv);
    return i;
}

static int take_all(struct hws_parse *p, char **argv)
{
    for (;;) {
        int n = take_section(p, argv);
        if (n < 0)
            return n;
        if (p->a->action != HWS_ARGS_RUN || !argv[n])
            return HWS_OK;
        argv += n + 1; /* behind the ':' */
        if (!*argv)
            return hws_parse_fail(p, "no program behind ':'%s", "");
    }
}

int hws_args_parse(struct hws_args *a, int argc, char **argv, char *err, size_t err_len)
{
    struct hws_parse p = {.a = a, .err = err, .err_len = err_len};
    (void)argc;
    memset(a, 0, sizeof *a);
    int rc = hws_params_load(&a->params, err, err_len);
    if (!rc)
        rc = hws_foreign_agent(&p);
    if (!rc)
        rc = hws_foreign_choices(&p);
    const char *limit = getenv("MPIEXEC_TIMEOUT");
    if (!rc && limit && *limit)
        rc = hws_parse_seconds(&p, "MPIEXEC_TIMEOUT", limit, &a->timeout_s);
    return rc ? rc : take_all(&p, argv + 1);
}

void hws_args_help(FILE *to)
{
    fputs("usage: mpirun [flags] program [arguments] [: [flags] program [arguments]]...\n\n", to);
    hws_flags_help(to);
    fputs("\nTuning flags; each is also the environment variable named behind it:\n", to);
    size_t n;
    const struct hws_param_row *rows = hws_param_table(&n);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "  -%-22s %s (%s, default '%s')\n", rows[i].flag, rows[i].help, rows[i].env, rows[i].def);
    fputs("\nOne dash or two; sizes like 64K or 1M. Common flags of MPICH Hydra and Open MPI are accepted too.\n", to);
}
