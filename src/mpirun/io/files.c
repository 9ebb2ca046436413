/* SPDX-License-Identifier: BSD-3-Clause
 *
 * files: see the header.
 */
#include "mpirun/io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The directories on the way to a file. 0, or -1 with errno. */
static int make_parents(const char *name)
{
    int rc = 0;
    char *path = hws_xstrdup(name);
    for (char *at = strchr(path + 1, '/'); at && rc == 0; at = strchr(at + 1, '/')) {
        *at = '\0';
        rc = mkdir(path, 0777) != 0 && errno != EEXIST ? -1 : 0;
        *at = '/';
    }
    int errnum = errno;
    free(path);
    errno = errnum;
    return rc;
}

static int open_new(const char *name, int first_fd)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, fd = open(name, flags, 0666);
    if (fd < 0 && errno == ENOENT && make_parents(name) == 0)
        fd = open(name, flags, 0666);
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, first_fd);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct hws_file *)a)->name, ((const struct hws_file *)b)->name);
}

struct hws_file *hws_files_open(struct hws_files *f, const char *name, int first_fd, char *err, size_t err_len)
{
    struct hws_file key = {.name = (char *)name};
    struct hws_file **known = tfind(&key, &f->tree, by_name);
    if (known)
        return *known;
    int fd = open_new(name, first_fd);
    if (fd < 0) {
        snprintf(err, err_len, "cannot write '%.300s': %s", name, strerror(errno));
        return NULL;
    }
    struct hws_file *file = hws_xcalloc(1, sizeof *file);
    *file = (struct hws_file){.files = f, .name = hws_xstrdup(name), .fd = fd};
    f->list = hws_xrealloc(f->list, (size_t)(f->n + 1) * sizeof *f->list);
    f->list[f->n++] = file;
    tsearch(file, &f->tree, by_name);
    return file;
}

static void on_file_change(void *arg)
{
    struct hws_file *file = arg;
    struct hws_files *f = file->files;
    f->n_full += (int)file->sink.is_full - (int)file->was_full;
    file->was_full = file->sink.is_full;
    if (file->sink.errnum && !f->broken)
        f->broken = file;
    f->on_change(f->arg);
}

void hws_files_start(struct hws_files *f, struct hws_loop *loop, void (*on_change)(void *arg), void *arg)
{
    f->on_change = on_change;
    f->arg = arg;
    for (; f->n_started < f->n; f->n_started++) {
        struct hws_file *file = f->list[f->n_started];
        hws_sink_init(&file->sink, loop, file->fd, on_file_change, file);
    }
}

bool hws_files_wait(const struct hws_files *f)
{
    for (int i = 0; i < f->n; i++)
        if (f->list[i]->sink.queue.len)
            return true;
    return false;
}

void hws_files_flush(struct hws_files *f, int patience_ms)
{
    for (int i = 0; i < f->n; i++)
        hws_sink_flush(&f->list[i]->sink, patience_ms);
}
