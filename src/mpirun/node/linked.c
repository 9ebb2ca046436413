/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/node/linked.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_DATA ELFDATA2LSB
#else
#define OWN_DATA ELFDATA2MSB
#endif
#define OWN_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)

/* Open MPI 2 and 3 to 5. Its 1.10 has the name of MPICH's, libmpi.so.12. */
static const char *const others[] = {"libmpi.so.40", "libmpi.so.20"};

struct file {
    const uint8_t *bytes;
    size_t n;
};

/* Copies what lies there, since it may lie unaligned. */
static bool get(struct file f, uint64_t at, void *out, size_t len)
{
    if (at > f.n || len > f.n - at)
        return false;
    memcpy(out, f.bytes + at, len);
    return true;
}

/* The k-th part of a program that the loader reads. */
static bool get_part(struct file f, const ElfW(Ehdr) * head, unsigned k, ElfW(Phdr) * out)
{
    return head->e_phentsize == sizeof *out && get(f, head->e_phoff + (uint64_t)k * sizeof *out, out, sizeof *out);
}

/* Where in the file an address of the loaded program is; f.n if nowhere. */
static uint64_t offset_of(struct file f, const ElfW(Ehdr) * head, uint64_t address)
{
    ElfW(Phdr) part;
    for (unsigned k = 0; k < head->e_phnum && get_part(f, head, k, &part); k++)
        if (part.p_type == PT_LOAD && address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz)
            return part.p_offset + (address - part.p_vaddr);
    return f.n;
}

/* Whether that string is there. */
static bool is(struct file f, uint64_t at, const char *string)
{
    char name[sizeof HWS_OWN_FORTRAN] = "";
    size_t len = strlen(string) + 1;
    return len <= sizeof name && get(f, at, name, len) && memcmp(name, string, len) == 0;
}

static const char *match(struct file f, uint64_t at)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(others); i++)
        if (is(f, at, others[i]))
            return others[i];
    return NULL;
}

/* The value of the first entry with that tag from `from` on; false: there is none. */
static bool find_entry(struct file f, const ElfW(Phdr) * dynamic, ElfW(Sxword) tag, uint64_t *from, uint64_t *value)
{
    ElfW(Dyn) entry;
    for (; *from + sizeof entry <= dynamic->p_filesz && get(f, dynamic->p_offset + *from, &entry, sizeof entry);
         *from += sizeof entry) {
        if (entry.d_tag == DT_NULL)
            return false;
        if (entry.d_tag == tag) {
            *value = entry.d_un.d_val;
            *from += sizeof entry;
            return true;
        }
    }
    return false;
}

static bool find_dynamic(struct file f, const ElfW(Ehdr) * head, ElfW(Phdr) * dynamic)
{
    for (unsigned k = 0; k < head->e_phnum && get_part(f, head, k, dynamic); k++)
        if (dynamic->p_type == PT_DYNAMIC)
            return true;
    return false;
}

/* The folders that it names; of the two tags the loader takes the newer where there are both. */
static void read_rpath(struct file f, const ElfW(Phdr) * dynamic, uint64_t text, struct hws_linked *out)
{
    uint64_t from = 0, at;
    if (!find_entry(f, dynamic, DT_RUNPATH, &from, &at)) {
        from = 0;
        if (!find_entry(f, dynamic, DT_RPATH, &from, &at))
            return;
    }
    if (at >= f.n || text >= f.n || text + at >= f.n)
        return;
    const char *path = (const char *)f.bytes + text + at;
    size_t len = strnlen(path, f.n - text - at);
    if (len < sizeof out->rpath)
        memcpy(out->rpath, path, len);
    else
        out->rpath[0] = '$';
}

struct hws_linked hws_linked_in(const uint8_t *file, size_t n)
{
    struct hws_linked l = {.other = NULL};
    struct file f = {file, n};
    ElfW(Ehdr) head;
    ElfW(Phdr) dynamic;
    uint64_t from = 0, strings, name;
    if (!get(f, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != OWN_CLASS || head.e_ident[EI_DATA] != OWN_DATA || !find_dynamic(f, &head, &dynamic) ||
        !find_entry(f, &dynamic, DT_STRTAB, &from, &strings))
        return l;
    uint64_t text = offset_of(f, &head, strings);
    for (from = 0; find_entry(f, &dynamic, DT_NEEDED, &from, &name);) {
        if (name >= n || text >= n)
            continue;
        if (is(f, text + name, HWS_OWN_FORTRAN))
            l.ours = HWS_OWN_FORTRAN;
        else if (!l.ours && is(f, text + name, HWS_OWN_LIBRARY))
            l.ours = HWS_OWN_LIBRARY;
        l.other = l.other ? l.other : match(f, text + name);
    }
    read_rpath(f, &dynamic, text, &l);
    return l;
}

struct hws_linked hws_linked_to(const char *path)
{
    struct hws_linked found = {.other = NULL};
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return found;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        size_t n = (size_t)st.st_size;
        const uint8_t *bytes = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            found = hws_linked_in(bytes, n);
            munmap((void *)(uintptr_t)bytes, n);
        }
    }
    close(fd);
    return found;
}

/* One folder of the list; $ORIGIN, with or without braces, at its start is the program's. */
static bool has_ours(const char *library, const char *folder, size_t len, const char *program)
{
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
    const char *slash = strrchr(program, '/');
    char path[PATH_MAX];
    size_t base = 0;
    for (size_t i = 0; i < HWS_ARRAY_LEN(origins); i++) {
        size_t token = strlen(origins[i]);
        if (len < token || strncmp(folder, origins[i], token) != 0)
            continue;
        base = slash ? (size_t)(slash - program) : 0;
        folder += token;
        len -= token;
        break;
    }
    if (memchr(folder, '$', len))
        return true;
    snprintf(path, sizeof path, "%.*s%.*s/%s", (int)base, program, (int)len, folder, library);
    return access(path, R_OK) == 0;
}

bool hws_linked_finds_ours(const struct hws_linked *l, const char *program)
{
    for (const char *at = l->rpath; l->ours && *at;) {
        size_t len = strcspn(at, ":");
        if (len > 0 && has_ours(l->ours, at, len, program))
            return true;
        at += len + (at[len] == ':');
    }
    return false;
}

/* Where the loader looks without being told: /lib, /usr/lib and what the multiarch distributions add. */
static bool is_standard(const char *folder)
{
    const char *under = strncmp(folder, "/usr/lib", 8) == 0 ? folder + 8
                        : strncmp(folder, "/lib", 4) == 0   ? folder + 4
                                                            : NULL;
    return under && (!*under || strcmp(under, "64") == 0 || (*under == '/' && !strchr(under + 1, '/')));
}

bool hws_linked_report(char *out, size_t len)
{
    static const char *const places[] = {".libs", HWS_LIB_FROM_BIN "/hawser"};
    char exe[PATH_MAX] = "", path[2 * PATH_MAX], full[PATH_MAX];
    if (readlink("/proc/self/exe", exe, sizeof exe - 1) < 0 || !strrchr(exe, '/'))
        return false;
    *strrchr(exe, '/') = 0;
    for (size_t i = 0; i < HWS_ARRAY_LEN(places); i++) {
        snprintf(path, sizeof path, "%s/%s/libhawser-report.so", exe, places[i]);
        if (realpath(path, full) && access(full, R_OK) == 0)
            return (size_t)snprintf(out, len, "%s", full) < len;
    }
    return false;
}

bool hws_linked_own_folder(char *out, size_t len)
{
    static const char *const places[] = {".libs", HWS_LIB_FROM_BIN}; /* of a build tree; of an installation */
    char exe[PATH_MAX] = "", path[2 * PATH_MAX], folder[PATH_MAX];
    if (readlink("/proc/self/exe", exe, sizeof exe - 1) < 0 || !strrchr(exe, '/'))
        return false;
    *strrchr(exe, '/') = 0;
    for (size_t i = 0; i < HWS_ARRAY_LEN(places); i++) {
        snprintf(path, sizeof path, "%s/%s", exe, places[i]);
        if (!realpath(path, folder))
            continue;
        snprintf(path, sizeof path, "%s/" HWS_OWN_LIBRARY, folder);
        if (access(path, R_OK) == 0)
            return !is_standard(folder) && (size_t)snprintf(out, len, "%s", folder) < len;
    }
    return false;
}
