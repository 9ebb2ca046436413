/* SPDX-License-Identifier: BSD-3-Clause
 *
 * appfile_test: the words of a file with one program a line.
 */
#include "mpirun/cli/appfile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The words with '|' between them, or what is wrong. */
static const char *split(const char *text)
{
    static char out[256];
    char err[100];
    char **words = hws_appfile_split(text, err, sizeof err);
    if (!words) {
        snprintf(out, sizeof out, "wrong: %s", err);
        return out;
    }
    out[0] = '\0';
    for (char **w = words; *w; w++)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", w == words ? "" : "|", *w);
    hws_appfile_free(words);
    return out;
}

Test(appfile, lines_are_programs)
{
    cr_expect_str_eq(split("-n 1 a b\n-n 2 c"), "-n|1|a|b|:|-n|2|c");
    cr_expect_str_eq(split("\n\n a \n\n\r\n b\n\n"), "a|:|b");
    cr_expect_str_eq(split("# a comment\na # b\n# c\nd"), "a|:|d");
    cr_expect_str_eq(split("a \\\nb\nc"), "a|b|:|c");
}

Test(appfile, quotes_hold_words_together)
{
    cr_expect_str_eq(split("sh -c 'echo $A  \"x\"' \"\" x\\ y"), "sh|-c|echo $A  \"x\"||x y");
    cr_expect_str_eq(split("a\"b c\"'d e' \"\\\"\\\\\\n\""), "ab cd e|\"\\\\n");
    cr_expect_str_eq(split("a#b '#c'"), "a#b|#c");
    cr_expect_str_eq(split("'a\nb' c"), "a\nb|c");
}

Test(appfile, what_is_wrong)
{
    cr_expect_str_eq(split("a 'b"), "wrong: a quote has no end");
    cr_expect_str_eq(split("a \"b\\\""), "wrong: a quote has no end");
    cr_expect_str_eq(split(" \n# nothing\n"), "wrong: it names no program");
}
