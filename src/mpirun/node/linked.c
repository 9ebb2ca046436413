/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/node/linked.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
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
static bool get_part(struct file f, const ElfW(Ehdr) *head, unsigned k, ElfW(Phdr) *out)
{
    return head->e_phentsize == sizeof *out && get(f, head->e_phoff + (uint64_t)k * sizeof *out, out, sizeof *out);
}

/* Where in the file an address of the loaded program is; f.n if nowhere. */
static uint64_t offset_of(struct file f, const ElfW(Ehdr) *head, uint64_t address)
{
    ElfW(Phdr) part;
    for (unsigned k = 0; k < head->e_phnum && get_part(f, head, k, &part); k++)
        if (part.p_type == PT_LOAD && address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz)
            return part.p_offset + (address - part.p_vaddr);
    return f.n;
}

static const char *match(struct file f, uint64_t at)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(others); i++) {
        char name[16] = "";
        size_t len = strlen(others[i]) + 1;
        if (get(f, at, name, len) && memcmp(name, others[i], len) == 0)
            return others[i];
    }
    return NULL;
}

/* The value of the first entry with that tag from `from` on; false: there is none. */
static bool find_entry(struct file f, const ElfW(Phdr) *dynamic, ElfW(Sxword) tag, uint64_t *from, uint64_t *value)
{
    ElfW(Dyn) entry;
    for (; *from + sizeof entry <= dynamic->p_filesz && get(f, dynamic->p_offset + *from, &entry, sizeof entry); *from += sizeof entry) {
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

const char *hws_linked_in(const uint8_t *file, size_t n)
{
    struct file f = {file, n};
    ElfW(Ehdr) head;
    ElfW(Phdr) dynamic;
    unsigned k = 0;
    if (!get(f, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != OWN_CLASS || head.e_ident[EI_DATA] != OWN_DATA)
        return NULL;
    do {
        if (k == head.e_phnum || !get_part(f, &head, k++, &dynamic))
            return NULL;
    } while (dynamic.p_type != PT_DYNAMIC);
    uint64_t from = 0, strings, name;
    if (!find_entry(f, &dynamic, DT_STRTAB, &from, &strings))
        return NULL;
    uint64_t text = offset_of(f, &head, strings);
    const char *found = NULL;
    for (from = 0; !found && find_entry(f, &dynamic, DT_NEEDED, &from, &name);)
        found = name < n && text < n ? match(f, text + name) : NULL;
    return found;
}

const char *hws_linked_to(const char *path)
{
    const char *found = NULL;
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
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
