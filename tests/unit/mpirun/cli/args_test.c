/* SPDX-License-Identifier: BSD-3-Clause
 *
 * args_test: what the command line means, and the one line that each mistake gets.
 */
#include "mpirun/cli/parse.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"

static struct hws_args a;
static char err[512], line[512];

/* Splits at spaces; "_" stands for an empty word. */
static int parse(const char *text)
{
    static char *argv[64];
    int n = 0;
    snprintf(line, sizeof line, "mpirun %s", text);
    for (char *w = strtok(line, " "); w; w = strtok(NULL, " "))
        argv[n++] = strcmp(w, "_") == 0 ? w + 1 : w;
    argv[n] = NULL;
    err[0] = '\0';
    return hws_args_parse(&a, n, argv, err, sizeof err);
}

static void clear_env(void)
{
    static const char *const names[] = {"MPIEXEC_TIMEOUT",        "HAWSER_RSH",
                                        "HAWSER_TCPEAGERSEND",    "HYDRA_LAUNCHER_EXEC",
                                        "OMPI_MCA_plm_rsh_agent", "HYDRA_LAUNCH_EXTRA_ARGS"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(names); i++)
        unsetenv(names[i]);
}

TestSuite(args, .init = clear_env);

Test(args, program_and_its_arguments)
{
    cr_assert_eq(parse("-n 4 ./prog -n 7 --x"), HWS_OK, "%s", err);
    cr_assert_eq(a.n_apps, 1);
    cr_expect_eq(a.apps[0].n, 4);
    cr_expect_eq(a.apps[0].argc, 4);
    cr_expect_str_eq(a.apps[0].argv[0], "./prog");
    cr_expect_str_eq(a.apps[0].argv[3], "--x");
    cr_expect_null(a.apps[0].argv[4]);
    hws_args_fini(&a);
}

Test(args, one_dash_two_dashes_and_equals_are_alike)
{
    static const char *const forms[] = {"-np 3 p", "--np 3 p", "-n=3 p", "--n=3 p", "-n 3 -- p"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(forms); i++) {
        cr_assert_eq(parse(forms[i]), HWS_OK, "%s", err);
        cr_expect_eq(a.apps[0].n, 3, "%s", forms[i]);
        cr_expect_str_eq(a.apps[0].argv[0], "p");
        hws_args_fini(&a);
    }
}

Test(args, sections_share_what_x_says_first)
{
    cr_assert_eq(parse("-x A=1 -n 1 -host h p : -env B 2 -n 2 -wdir /d q z"), HWS_OK, "%s", err);
    cr_assert_eq(a.n_apps, 2);
    cr_expect_str_eq(a.apps[0].hosts, "h");
    cr_expect_null(a.apps[1].hosts);
    cr_expect_str_eq(hws_env_get(a.apps[1].env.vars, "A"), "1");
    cr_expect_str_eq(hws_env_get(a.apps[1].env.vars, "B"), "2");
    cr_expect_null(hws_env_get(a.apps[0].env.vars, "B"));
    cr_expect_str_eq(a.apps[1].wdir, "/d");
    cr_expect_eq(a.apps[1].argc, 2);
    hws_args_fini(&a);
}

Test(args, tuning_flags_become_variables_and_win_over_them)
{
    setenv("HAWSER_TCPEAGERSEND", "8K", 1);
    cr_assert_eq(parse("-tcpeagersend 32K --i eth0,10.0.0.0/8 -ni 2 p"), HWS_OK, "%s", err);
    cr_expect_eq(a.params.tcp_eager, 32768);
    cr_expect_str_eq(hws_env_get(a.env.vars, "HAWSER_TCPEAGERSEND"), "32K");
    cr_expect_str_eq(hws_env_get(a.env.vars, "HAWSER_I"), "eth0,10.0.0.0/8");
    cr_expect_eq(a.params.n_interfaces, 2);
    hws_args_fini(&a);
    cr_assert_eq(parse("p"), HWS_OK);
    cr_expect_eq(a.params.tcp_eager, 8192);
    hws_args_fini(&a);
}

Test(args, x_without_value_takes_the_current_one)
{
    setenv("HWS_TEST_VALUE", "from here", 1);
    unsetenv("HWS_TEST_UNSET");
    cr_assert_eq(parse("-x HWS_TEST_VALUE -x HWS_TEST_UNSET p"), HWS_OK, "%s", err);
    cr_expect_str_eq(hws_env_get(a.apps[0].env.vars, "HWS_TEST_VALUE"), "from here");
    cr_expect_null(hws_env_get(a.apps[0].env.vars, "HWS_TEST_UNSET"));
    hws_args_fini(&a);
}

Test(args, flags_of_other_launchers)
{
    cr_assert_eq(parse("--allow-run-as-root --tag-output -np 2 -H a:2 -bind-to none -map-by slot --mca pml ob1 "
                       "-mca btl_tcp_if_include eth0 -genv K V -launcher-exec /bin/rsh --oversubscribe p"),
                 HWS_OK, "%s", err);
    cr_expect(a.output.has_tags);
    cr_expect_str_eq(a.ignored_mca, "pml");
    cr_expect_not(a.ignores_binding);
    cr_expect_str_eq(hws_env_get(a.env.vars, "HAWSER_I"), "eth0");
    cr_expect_str_eq(a.params.bind_to, "none");
    hws_args_fini(&a);
    cr_assert_eq(parse("--bind-to package:overload-allowed -np 2 p"), HWS_OK, "%s", err);
    cr_expect_str_eq(a.params.bind_to, "socket");
    hws_args_fini(&a);
    cr_assert_eq(parse("--bind-to nothing p"), HWS_EINVAL);
    cr_expect_str_eq(err, "-bind-to (HAWSER_BIND_TO): 'nothing' is neither core, socket nor none");
    hws_args_fini(&a);
    cr_assert_eq(parse("-launcher-exec /bin/rsh -genv K V p"), HWS_OK, "%s", err);
    cr_expect_str_eq(a.params.launcher_agent, "/bin/rsh");
    cr_expect_str_eq(hws_env_get(a.env.vars, "K"), "V");
    hws_args_fini(&a);
}

Test(args, mapping_is_as_asked_or_refused)
{
    static const struct {
        const char *line;
        bool by_node, is_within;
        int per_node;
    } good[] = {{"p", false, false, 0},
                {"--map-by slot p", false, false, 0},
                {"--map-by core:oversubscribe p", false, false, 0},
                {"--map-by node p", true, false, 0},
                {"-map-by NODE:SPAN,OVERSUBSCRIBE --rank-by node p", true, false, 0},
                {"--bynode p", true, false, 0},
                {"--map-by ppr:3:node p", false, false, 3},
                {"--map-by=ppr:12:node:oversubscribe --rank-by slot p", false, false, 12},
                {"--pernode p", false, false, 1},
                {"--map-by socket p", false, true, 0},
                {"--map-by l3cache p", false, true, 0},
                {"--map-by node --map-by slot p", false, false, 0}};
    static const struct {
        const char *line, *says;
    } bad[] = {{"--map-by nodes p", "'nodes'"},
               {"--map-by ppr p", "number of ranks"},
               {"--map-by ppr:0:node p", "'0'"},
               {"--map-by ppr:x:node p", "'x'"},
               {"--map-by ppr:2:socket p", "'socket'"},
               {"--map-by ppr:2 p", "by hosts only"},
               {"--map-by slot:PE=4 p", "'PE=4'"},
               {"--map-by node:nolocal p", "'nolocal'"},
               {"--map-by node:fast p", "'fast'"},
               {"--rank-by node p", "-map-by node"},
               {"--rank-by socket p", "slot and node"},
               {"-npersocket 2 p", "-ppn"},
               {"--rankfile f p", "-hostfile"},
               {"--cpu-set 0 p", "taskset"},
               {"-hots a p", "is -host meant"},
               {"-nq 2 p", "is -np meant"},
               {"-npp 2 p", "is -np meant"},
               {"-zz p", "unknown flag '-zz' (mpirun"},
               {"-tcpeagersned 1 p", "is -tcpeagersend meant"},
               {"-quux 1 p", "unknown flag '-quux' (mpirun -h"}};
    for (size_t i = 0; i < HWS_ARRAY_LEN(good); i++) {
        cr_assert_eq(parse(good[i].line), HWS_OK, "%s: %s", good[i].line, err);
        cr_expect_eq(a.apps[0].map.by_node, good[i].by_node, "%s", good[i].line);
        cr_expect_eq(a.apps[0].map.per_node, good[i].per_node, "%s", good[i].line);
        cr_expect_eq(a.ignores_binding, good[i].is_within, "%s", good[i].line);
        hws_args_fini(&a);
    }
    for (size_t i = 0; i < HWS_ARRAY_LEN(bad); i++) {
        cr_expect_eq(parse(bad[i].line), HWS_EINVAL, "%s", bad[i].line);
        cr_expect(strstr(err, bad[i].says), "%s: %s", bad[i].line, err);
        hws_args_fini(&a);
    }
}

Test(args, mca_parameters_are_named_once_or_are_ours)
{
    cr_assert_eq(parse("--mca pml ob1 --mca btl_base_verbose 1 --mca btl self,tcp --mca pml cm -mca btl_tcp_if_include "
                       "eth1,eth2 p"),
                 HWS_OK, "%s", err);
    cr_expect_str_eq(a.ignored_mca, "pml, btl_base_verbose, btl");
    cr_expect_str_eq(hws_env_get(a.env.vars, "HAWSER_I"), "eth1,eth2");
    hws_args_fini(&a);
}

Test(args, environment_of_orchestrators_and_time_limit)
{
    setenv("OMPI_MCA_plm_rsh_agent", "/opt/agent", 1);
    setenv("HYDRA_LAUNCH_EXTRA_ARGS", "-p 2222", 1);
    setenv("MPIEXEC_TIMEOUT", "7", 1);
    cr_assert_eq(parse("p"), HWS_OK, "%s", err);
    cr_expect_str_eq(a.params.launcher_agent, "/opt/agent");
    cr_expect_str_eq(a.agent_extra, "-p 2222");
    cr_expect_eq(a.timeout_s, 7.0);
    hws_args_fini(&a);
    cr_assert_eq(parse("-timeout 0.5 -rsh mine p"), HWS_OK, "%s", err);
    cr_expect_str_eq(a.params.launcher_agent, "mine");
    cr_expect_str_eq(a.agent_extra, "");
    cr_expect_eq(a.timeout_s, 0.5);
    hws_args_fini(&a);
}

Test(args, help_and_version_need_no_program)
{
    cr_assert_eq(parse("-h"), HWS_OK);
    cr_expect_eq(a.action, HWS_ARGS_HELP);
    hws_args_fini(&a);
    cr_assert_eq(parse("--version"), HWS_OK);
    cr_expect_eq(a.action, HWS_ARGS_VERSION);
    hws_args_fini(&a);
}

static void expect_name(int stream, int rank, int size, const char *name)
{
    struct hws_output_rank whose = {rank, size, 3, "h1"};
    char *got = hws_output_name(&a.output, stream, &whose);
    cr_expect_str_eq(got ? got : "(none)", name);
    free(got);
}

Test(args, names_of_output_files)
{
    cr_assert_eq(parse("-outfile-pattern d/%h.%p/%r%%%g p"), HWS_OK, "%s", err);
    expect_name(1, 7, 100, "d/h1.3/7%0");
    expect_name(2, 7, 100, "(none)");
    cr_expect_not(a.output.is_copied);
    hws_args_fini(&a);
    cr_assert_eq(parse("--output-filename d%r p"), HWS_OK, "%s", err);
    expect_name(1, 7, 10, "d%r/1/rank.7/stdout");
    expect_name(1, 7, 11, "d%r/1/rank.07/stdout");
    expect_name(2, 0, 1, "d%r/1/rank.0/stderr");
    cr_expect(a.output.is_copied);
    hws_args_fini(&a);
    cr_assert_eq(parse("--timestamp-output p"), HWS_OK, "%s", err);
    cr_expect(a.output.has_time && !a.output.has_tags);
    hws_args_fini(&a);
    cr_assert_eq(parse("--output timestamp p"), HWS_OK, "%s", err);
    cr_expect(a.output.has_time);
    hws_args_fini(&a);
    cr_assert_eq(parse("--output TAG,file=d/o:nocopy p"), HWS_OK, "%s", err);
    cr_expect(a.output.has_tags);
    cr_expect_not(a.output.is_copied);
    expect_name(1, 7, 1000, "d/o.007.out");
    expect_name(2, 7, 1000, "d/o.007.err");
    hws_args_fini(&a);
}

struct mistake {
    char line[80], err[160];
};

ParameterizedTestParameters(args, mistakes)
{
    static struct mistake list[] = {
        {"", "no program given (mpirun -h shows how)"},
        {"-n 2", "no program given (mpirun -h shows how)"},
        {"-n 0 p", "-n: '0' is not a number of ranks from 1 to 1000000"},
        {"-np x p", "-np: 'x' is not a number of ranks from 1 to 1000000"},
        {"-n -1 p", "-n: '-1' is not a number of ranks from 1 to 1000000"},
        {"-n 4x p", "-n: '4x' is not a number of ranks from 1 to 1000000"},
        {"-n 99999999999 p", "-n: '99999999999' is not a number of ranks from 1 to 1000000"},
        {"-n", "flag '-n' needs a value"},
        {"-env A", "flag '-env' needs two values"},
        {"--frobnicate p", "unknown flag '--frobnicate' (mpirun -h lists the flags)"},
        {"-v=1 p", "unknown flag '-v=1' (mpirun -h lists the flags)"},
        {": p", "no program before ':'"},
        {"p : : q", "no program before ':'"},
        {"p :", "no program behind ':'"},
        {"-x 1A=2 p", "-x: '1A' is not the name of a variable"},
        {"-x =2 p", "-x: '' is not the name of a variable"},
        {"-timeout soon p", "-timeout: 'soon' is not a number of seconds"},
        {"-timeout -1 p", "-timeout: '-1' is not a number of seconds"},
        {"-stdin one p", "-stdin: 'one' is neither a rank nor all nor none; rank 0 reads it if nothing is said"},
        {"-outfile-pattern _ p", "-outfile-pattern: the name of the file is empty"},
        {"-errfile-pattern a% p",
         "-errfile-pattern: '%' in 'a%' is not known: there are %r (rank), %g, %p (number of the host), %h (its name) "
         "and %%"},
        {"-output-filename :nocopy p", "-output-filename: the name of the directory is empty"},
        {"-output-filename d:copy p", "-output-filename: ':copy' cannot be done: there are :nocopy and :nojobid"},
        {"--output file= p", "-output: the name of the file is empty"},
        {"--output tag,,dir=x p", "-output: '' cannot be done: there are tag, timestamp, file=NAME and dir=DIR"},
        {"-tcpmaxfrag 64Q p", "-tcpmaxfrag (HAWSER_TCPMAXFRAG): '64Q' is not a size from 4K to 1G"},
        {"-tcpconretries 0 p", "-tcpconretries (HAWSER_TCPCONRETRIES): '0' is not a number from 1 to 60000"},
    };
    return cr_make_param_array(struct mistake, list, HWS_ARRAY_LEN(list));
}

ParameterizedTest(struct mistake *m, args, mistakes)
{
    clear_env();
    cr_assert_eq(parse(m->line), HWS_EINVAL, "'%s' was accepted", m->line);
    cr_expect_str_eq(err, m->err);
    hws_args_fini(&a);
}
