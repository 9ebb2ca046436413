/* SPDX-License-Identifier: BSD-3-Clause
 *
 * error: the way from the sentence about a failure to the code and the line that the user gets.
 */
#include "core/object/error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/object/error_class.h"
#include "core/object/fail.h"
#include "core/object/launcher.h"
#include "core/object/world.h"

/* Where it happened: "rank 2 on host h1", or the process when it has no rank. */
static void write_place(char *dst, size_t len)
{
    char host[256];
    if (hws_world.host[0]) {
        snprintf(dst, len, "rank %d on host %s", hws_world.rank, hws_world.host);
        return;
    }
    if (gethostname(host, sizeof host))
        snprintf(host, sizeof host, "unknown");
    host[sizeof host - 1] = '\0';
    snprintf(dst, len, "process %d on host %s", (int)getpid(), host);
}

/* The whole line about rc; uses up the thread's sentence. */
static void write_line(char *dst, size_t len, const char *fn, int rc)
{
    char place[300], general[MPI_MAX_ERROR_STRING];
    int general_len;
    write_place(place, sizeof place);
    const char *name = hws_class_name(rc), *sentence = hws_fail_sentence(rc);
    int n;
    if (name && sentence)
        n = snprintf(dst, len, "%s: %s: %s: %s", place, fn, name, sentence);
    else if (hws_code_is_valid(rc) && hws_error_string(rc, general, &general_len) == MPI_SUCCESS)
        n = snprintf(dst, len, "%s: %s: %s", place, fn, general);
    else
        n = snprintf(dst, len, "%s: %s: error %d of a user's callback", place, fn, rc);
    if (n >= (int)len) /* the reader shall see that the line was cut */
        memcpy(dst + len - 4, "...", 4);
    hws_fail_drop();
}

int hws_error_make(char *line, size_t len, const char *fn, int rc)
{
    int ignored;
    if (hws_code_is_ours(rc)) {
        hws_error_string(rc, line, &ignored);
        return rc;
    }
    bool is_class = hws_class_name(rc) != NULL;
    write_line(line, len, fn, rc);
    return is_class ? hws_code_new(rc, line) : rc;
}

int hws_error_code(const char *fn, int rc)
{
    char line[MPI_MAX_ERROR_STRING];
    return rc == MPI_SUCCESS ? rc : hws_error_make(line, sizeof line, fn, rc);
}

void hws_abort(int exit_code, const char *text)
{
    fflush_unlocked(stdout); /* what the program has printed; without the lock, that another thread may hold for ever */
    if (!hws_world_abort(exit_code, text))
        dprintf(STDERR_FILENO, "hawser: %s\n", text);
    _exit(exit_code);
}
