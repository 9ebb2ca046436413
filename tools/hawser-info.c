/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hawser-info: what this installation is and does: version, every parameter with its value in force, the functions of
 * the ABI that are not supported yet. Starts no job. Linked to the whole library, because it prints tables that are
 * hidden.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/params.h"
#include "config.h"
#include "mpi/unsupported.h"

enum { N_FUNCTIONS = 664 }; /* of the MPI 5.0 ABI, tests/api/tables/functions.tsv */

static const char usage_text[] =
    "Usage: hawser-info [OPTION]\n"
    "  (none)         version and every parameter with its value in force\n"
    "  --missing      the functions of the MPI 5.0 ABI that are not supported yet, one a line\n"
    "  --params       the parameters alone: flag, variable, value, origin, unit, help, separated by tabs\n"
    "  --param FLAG   the value of one parameter\n"
    "  --version      the version alone\n"
    "  -h, --help     this text\n";

static const char *const units[] = {
    [HWS_PARAM_SIZE] = "bytes", [HWS_PARAM_COUNT] = "number", [HWS_PARAM_MS] = "ms",
    [HWS_PARAM_US] = "us",      [HWS_PARAM_BOOL] = "0 or 1",  [HWS_PARAM_TEXT] = "text",
};

static int count_missing(void)
{
    int n = 0;
    for (const char *at = hws_unsupported; *at; at++)
        n += *at == '\n';
    return n;
}

static int print_missing(void)
{
    fputs(hws_unsupported, stdout);
    return EXIT_SUCCESS;
}

static void print_version(void)
{
    printf("Hawser %s, MPI %d.%d, ABI %d.%d\n", PACKAGE_VERSION, MPI_VERSION, MPI_SUBVERSION, MPI_ABI_VERSION,
           MPI_ABI_SUBVERSION);
}

/* Parameters as a job started from here would have them. */
static bool load(struct hws_params *params)
{
    char err[512];
    if (hws_params_load(params, err, sizeof err) == HWS_OK)
        return true;
    fprintf(stderr, "hawser-info: %s\n", err);
    return false;
}

static int print_params(void)
{
    struct hws_params params;
    if (!load(&params))
        return EXIT_FAILURE;
    size_t n;
    const struct hws_param_row *row = hws_param_table(&n);
    for (const struct hws_param_row *end = row + n; row < end; row++) {
        char value[512];
        printf("-%s\t%s\t%s\t%s\t%s\t%s\n", row->flag, row->env, hws_param_format(&params, row, value, sizeof value),
               getenv(row->env) ? "environment" : "default", units[row->kind], row->help);
    }
    return EXIT_SUCCESS;
}

static int print_param(const char *flag)
{
    struct hws_params params;
    const struct hws_param_row *row = hws_param_find(flag + strspn(flag, "-"));
    if (!row) {
        fprintf(stderr, "hawser-info: no parameter '%s'; hawser-info --params lists them\n", flag);
        return EXIT_FAILURE;
    }
    char value[512];
    if (!load(&params))
        return EXIT_FAILURE;
    puts(hws_param_format(&params, row, value, sizeof value));
    return EXIT_SUCCESS;
}

static int print_all(void)
{
    struct hws_params params;
    print_version();
    int missing = count_missing();
    printf("%d of %d functions are supported (--missing lists the others)\n\n", N_FUNCTIONS - missing, N_FUNCTIONS);
    if (!load(&params))
        return EXIT_FAILURE;
    printf("%-16s %-23s %-14s %-7s %s\n", "flag", "variable", "value", "unit", "meaning (* set in the environment)");
    size_t n;
    const struct hws_param_row *row = hws_param_table(&n);
    for (const struct hws_param_row *end = row + n; row < end; row++) {
        char value[512], shown[516];
        hws_param_format(&params, row, value, sizeof value);
        snprintf(shown, sizeof shown, "%s%s", value[0] ? value : "\"\"", getenv(row->env) ? " *" : "");
        printf("-%-15s %-23s %-14s %-7s %s\n", row->flag, row->env, shown, units[row->kind], row->help);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (argc > (strcmp(what, "--param") == 0 ? 3 : 2)) {
        fprintf(stderr, "hawser-info: unexpected argument '%s'\n%s", argv[argc - 1], usage_text);
        return 2;
    }
    if (!*what)
        return print_all();
    if (strcmp(what, "--missing") == 0)
        return print_missing();
    if (strcmp(what, "--params") == 0)
        return print_params();
    if (strcmp(what, "--param") == 0 && argc == 3)
        return print_param(argv[2]);
    if (strcmp(what, "--version") == 0)
        return print_version(), EXIT_SUCCESS;
    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0)
        return fputs(usage_text, stdout), EXIT_SUCCESS;
    fprintf(stderr, "hawser-info: unknown option '%s'\n%s", what, usage_text);
    return 2;
}
