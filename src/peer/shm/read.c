/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read: copies out of the memory of another process of this host, process_vm_readv(2).
 */
#include <errno.h>
#include <sys/uio.h>

#include "peer/shm/shm.h"
#include "peer/state/shm.h"

#define TOLD_MIN (256u << 10) /* bytes: copies that take a good part of the time that a wait spins */

static bool read_there(struct hws_shm *m, int local, uint8_t *dst, uint64_t address, size_t n)
{
    pid_t pid = (pid_t)m->seg.ranks[local].pid;
    while (n) {
        struct iovec to = {dst, n}, from = {(void *)(uintptr_t)address, n};
        ssize_t got = process_vm_readv(pid, &to, 1, &from, 1, 0);
        if (got <= 0) {
            m->no_single_copy |= got < 0 && (errno == EPERM || errno == ENOSYS);
            return false;
        }
        dst += got;
        address += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

bool hws_shm_read(struct hws_shm *m, int local, void *dst, uint64_t address, size_t n)
{
    uint32_t *n_readers = &m->seg.ranks[local].n_readers;
    if (n < TOLD_MIN)
        return read_there(m, local, dst, address, n);
    __atomic_add_fetch(n_readers, 1, __ATOMIC_RELAXED);
    bool ok = read_there(m, local, dst, address, n);
    __atomic_sub_fetch(n_readers, 1, __ATOMIC_RELAXED);
    return ok;
}
