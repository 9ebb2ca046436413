/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/node/linked.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../support/seed.h"
#include "base/list.h"

/* A library of that name and a program that asks for it, made by the compiler. */
static char *make_program(const char *library, const char *rpath)
{
    static char path[200];
    char command[1000];
    char folder[] = "/tmp/hawser-linked.XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/program", folder);
    snprintf(command, sizeof command,
             "cd %s && echo 'int f(void){return 0;}' >f.c && echo 'int f(void);int main(void){return f();}' >m.c && "
             "cc -shared -fPIC -Wl,-soname,%s -o libf.so f.c && cc -o program m.c -L. -lf -lm %s",
             folder, library, rpath);
    cr_assert_eq(system(command), 0, "%s", command);
    return path;
}

static void remove_program(const char *path)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf \"$(dirname %s)\"", path);
    cr_assert_eq(system(command), 0);
}

static void expect(const char *library, const char *want)
{
    const char *path = make_program(library, "");
    struct hws_linked linked = hws_linked_to(path);
    const char *found = linked.other;
    bool is_ours = strcmp(library, HWS_OWN_LIBRARY) == 0 || strcmp(library, HWS_OWN_FORTRAN) == 0;
    cr_expect_str_eq(linked.ours ? linked.ours : "", is_ours ? library : "", "%s", library);
    if (want)
        cr_expect_str_eq(found ? found : "nothing", want, "%s", library);
    else
        cr_expect_null(found, "%s: %s", library, found);
    remove_program(path);
}

Test(linked, open_mpi_is_seen_and_nothing_else)
{
    expect("libmpi.so.40", "libmpi.so.40");
    expect("libmpi.so.20", "libmpi.so.20");
    expect("libmpi.so.12", NULL);
    expect("libmpich.so.12", NULL);
    expect("libmpi_abi.so.1", NULL);
    expect("libmpifort_abi.so.1", NULL);
    expect("libmpi.so.401", NULL);
}

Test(linked, what_is_no_program_is_nothing)
{
    static const char *const paths[] = {"/etc/passwd", "/nowhere", "/tmp", "/dev/null"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(paths); i++) {
        struct hws_linked linked = hws_linked_to(paths[i]);
        cr_expect(!linked.other && !linked.ours && !linked.rpath[0], "%s", paths[i]);
    }
    cr_expect_null(hws_linked_in((const uint8_t *)"", 0).other);
}

/* Cut and damaged files: sanitizers see what is read outside. */
Test(linked, damaged_files_are_read_within_their_bounds)
{
    static uint8_t bytes[1 << 20];
    const char *path = make_program("libmpi.so.40", "-Wl,-rpath,/somewhere");
    FILE *f = fopen(path, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    remove_program(path);
    hws_test_seed("linked");
    for (int i = 0; i < 3000; i++) {
        size_t len = i % 2 ? n : hws_test_random(n + 1);
        uint8_t *copy = malloc(len + 1);
        memcpy(copy, bytes, len);
        for (int k = 0; k < i % 5 && len; k++)
            copy[hws_test_random(hws_test_random(2) ? len : len < 1024 ? len : 1024)] = (uint8_t)hws_test_next();
        uint8_t *exact = realloc(copy, len ? len : 1);
        hws_linked_in(exact, len);
        free(exact);
    }
    cr_assert_str_eq(hws_linked_in(bytes, n).other, "libmpi.so.40");
}

/* Whether a program with that -rpath that asks for `library` finds `file`, which lies in the folder `lib` beside it. */
static bool finds(const char *library, const char *file, const char *rpath)
{
    char command[500], words[300] = "";
    if (*rpath)
        snprintf(words, sizeof words, "-Wl,-rpath,'%s'", rpath);
    const char *path = make_program(library, words);
    snprintf(command, sizeof command, "cd \"$(dirname %s)\" && mkdir lib && touch lib/%s", path, file);
    cr_assert_eq(system(command), 0, "%s", command);
    struct hws_linked linked = hws_linked_to(path);
    cr_expect_str_eq(linked.rpath, rpath);
    bool found = hws_linked_finds_ours(&linked, path);
    remove_program(path);
    return found;
}

static bool finds_ours(const char *rpath)
{
    return finds(HWS_OWN_LIBRARY, HWS_OWN_LIBRARY, rpath);
}

Test(linked, what_a_program_names_for_the_loader_is_looked_through)
{
    cr_expect(finds_ours("$ORIGIN/lib"));
    cr_expect(finds_ours("/nowhere:${ORIGIN}/../nowhere:${ORIGIN}/lib"));
    cr_expect(finds_ours("/nowhere/$LIB"));
    cr_expect_not(finds_ours(""));
    cr_expect_not(finds_ours("/nowhere"));
    cr_expect_not(finds_ours("$ORIGIN:/tmp/lib:"));
    cr_expect(finds(HWS_OWN_FORTRAN, HWS_OWN_FORTRAN, "$ORIGIN/lib"));
    cr_expect_not(finds(HWS_OWN_FORTRAN, HWS_OWN_LIBRARY, "$ORIGIN/lib"));
    cr_expect_not(finds("libmpich.so.12", HWS_OWN_LIBRARY, "$ORIGIN/lib"));
}
