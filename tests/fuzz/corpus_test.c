/* SPDX-License-Identifier: BSD-3-Clause
 *
 * corpus_test: the fuzz targets without libFuzzer: every file of the corpus, every cut of it, and random changes of it
 * from a printed seed. Built once for each target, with CORPUS its name.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"

enum { MAX_FILES = 200, MAX_LEN = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
    uint8_t bytes[MAX_LEN];
    size_t len;
} files[MAX_FILES];
static size_t n_files;

static void load(void)
{
    char path[4096];
    const char *srcdir = getenv("srcdir");
    int at = snprintf(path, sizeof path, "%s/tests/fuzz/corpus/" CORPUS, srcdir ? srcdir : ".");
    DIR *d = opendir(path);
    cr_assert_not_null(d, "%s", path);
    for (struct dirent *e; n_files < MAX_FILES && (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path + at, sizeof path - (size_t)at, "/%s", e->d_name);
        FILE *f = fopen(path, "rb");
        cr_assert_not_null(f, "%s", path);
        files[n_files].len = fread(files[n_files].bytes, 1, MAX_LEN, f);
        n_files++;
        fclose(f);
    }
    closedir(d);
    cr_assert_gt(n_files, 0, "empty corpus");
}

TestSuite(corpus, .init = load);

Test(corpus, every_file_and_every_cut_of_it)
{
    for (size_t i = 0; i < n_files; i++)
        for (size_t len = 0; len <= files[i].len; len += len < 200 || len == files[i].len ? 1 : 97)
            LLVMFuzzerTestOneInput(files[i].bytes, len);
}

static void change(uint8_t *bytes, size_t *len)
{
    size_t at = hws_test_random(*len + 1);
    switch (hws_test_random(4)) {
    case 0:
        *len = at;
        break;
    case 1:
        if (at < *len)
            bytes[at] ^= (uint8_t)(1u << hws_test_random(8));
        break;
    case 2:
        if (at < *len)
            bytes[at] = (uint8_t)hws_test_next();
        break;
    default: /* a byte more */
        if (*len < MAX_LEN) {
            memmove(bytes + at + 1, bytes + at, *len - at);
            bytes[at] = (uint8_t)hws_test_next();
            (*len)++;
        }
    }
}

Test(corpus, random_changes)
{
    static uint8_t bytes[MAX_LEN];
    hws_test_seed(CORPUS);
    for (int i = 0; i < N_CHANGES; i++) {
        size_t file = hws_test_random(n_files), len = files[file].len;
        memcpy(bytes, files[file].bytes, len);
        for (uint64_t k = 1 + hws_test_random(4); k > 0; k--)
            change(bytes, &len);
        LLVMFuzzerTestOneInput(bytes, len);
    }
}
