/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_page: -report FILE.html. The file is opened before the job starts, so that a name that cannot be written costs no
 * job; it is written when all is over, also when the job failed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpirun/job/job_priv.h"
#include "mpirun/page/page.h"

int hws_job_page_open(struct job *j)
{
    const char *name = j->args->report_file;
    if (!name || j->number > 0)
        return 0;
    j->page_file = fopen(name, "we");
    if (!j->page_file) {
        fprintf(stderr, "mpirun: -report: cannot write '%s': %s\n", name, strerror(errno));
        return 1;
    }
    int *host_of = hws_xcalloc((size_t)j->place->size, sizeof *host_of);
    for (int i = 0; i < j->place->size; i++)
        host_of[i] = j->place->ranks[i].node;
    j->page = hws_page_open(j->place->size, j->place->n_nodes, (const char *const *)j->place->nodes, host_of);
    return 0;
}

void hws_job_page_add(struct job_node *n, const char *data, size_t len)
{
    struct job *j = n->job;
    if (j->page && !hws_page_add(j->page, (int)(n - j->nodes), data, len))
        hws_job_fail(j, 1, "host %s sent figures of its ranks that are none", n->name);
}

static char *command_of(const struct hws_args *a)
{
    struct hws_buf text = {0};
    for (int i = 0; i < a->n_apps; i++) {
        hws_buf_printf(&text, i ? " : " : "mpirun ");
        if (a->apps[i].n)
            hws_buf_printf(&text, "-n %d ", a->apps[i].n);
        for (int k = 0; k < a->apps[i].argc; k++)
            hws_buf_printf(&text, "%s%s", k ? " " : "", a->apps[i].argv[k]);
    }
    char *line = hws_xstrndup(hws_buf_data(&text), text.len);
    hws_buf_free(&text);
    return line;
}

void hws_job_page_write(struct job *j)
{
    if (!j->page)
        return;
    bool is_well = j->end.failure.cause == HWS_CAUSE_NONE;
    char *command = command_of(j->args);
    struct hws_page_about about = {.command = command,
                                   .end = is_well ? "The job ended without an error." : j->end.failure.text};
    struct hws_buf out = {0};
    hws_page_write(j->page, &about, &out);
    bool is_written = fwrite(hws_buf_data(&out), 1, out.len, j->page_file) == out.len;
    int errnum = errno;
    if (fclose(j->page_file) != 0 && is_written) {
        is_written = false;
        errnum = errno;
    }
    if (!is_written) {
        fprintf(stderr, "mpirun: -report: cannot write '%s': %s\n", j->args->report_file, strerror(errnum));
        j->end.failure.status = is_well ? 1 : j->end.failure.status;
    }
    hws_buf_free(&out);
    free(command);
    free((int *)(uintptr_t)j->page->host_of);
    hws_page_close(j->page);
    j->page = NULL;
}
