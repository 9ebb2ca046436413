/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/place/refused.h"

#include <string.h>

#include "base/list.h"

struct refused {
    const char *name, *instead;
};

static const char *find(const struct refused *table, size_t n, const char *name, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(table[i].name) == len && strncmp(table[i].name, name, len) == 0)
            return table[i].instead;
    return NULL;
}

const char *hws_refused_flag(const char *flag, size_t len)
{
    static const struct refused table[] = {
        {"npersocket", "ranks are counted by hosts; use -ppn N and -bind-to socket"},
        {"rankfile", "name hosts in the ranks' order by -hostfile, one line a rank"},
        {"rf", "name hosts in the ranks' order by -hostfile, one line a rank"},
        {"cpu-set", "start mpirun under taskset, whose processors the ranks share, or use -bind-to"},
        {"cpu-list", "start mpirun under taskset, whose processors the ranks share, or use -bind-to"},
        {"cpus-per-proc", "give fewer ranks a host by -ppn, and -bind-to socket or none"},
        {"cpus-per-rank", "give fewer ranks a host by -ppn, and -bind-to socket or none"},
        {"nolocal", "name the other hosts by -host"},
        {"nooversubscribe", "bound hosts by max_slots=N in the host file"},
        {"xterm", "start xterm as the program: mpirun -n 2 xterm -e PROGRAM"},
        {"gdb", "start a debugger as the program: mpirun -n 2 xterm -e gdb PROGRAM"},
        {"gdba", "attach a debugger by gdb -p PID; ps shows the ranks below mpirun"},
        {"tv", "start a debugger as the program: mpirun -n 2 xterm -e gdb PROGRAM"},
        {"debug", "start a debugger as the program: mpirun -n 2 xterm -e gdb PROGRAM"},
        {"genvexcl", "name by -genvlist what shall go along, or start the program by env -u VARIABLE"},
        {"envexcl", "name by -genvlist what shall go along, or start the program by env -u VARIABLE"},
        {"merge-stderr-to-stdout", "redirect mpirun's: mpirun ... 2>&1"},
        {"xml", "there is -tag-output"},
        {"preload-binary", "the program has to be there on all hosts, as by a shared file system"},
        {"preload-files", "files have to be there on all hosts, as by a shared file system"},
        {"s", "copy the program to the hosts first"},
        {"am", "set HAWSER_ variables, which mpirun -h lists"},
        {"tune", "set HAWSER_ variables, which mpirun -h lists"},
        {"disable-auto-cleanup", "a job ends when one of its ranks fails"},
        {"enable-recovery", "a job ends when one of its ranks fails"},
        {"with-ft", "a job ends when one of its ranks fails"},
        {"ckpoint-num", "there are no checkpoints yet"},
    };
    return find(table, HWS_ARRAY_LEN(table), flag, len);
}

const char *hws_refused_attribute(const char *key, size_t len)
{
    static const struct refused table[] = {
        {"sockets", "give slots=N, as many as ranks shall run there"},
        {"cores", "give slots=N, as many as ranks shall run there"},
        {"boards", "give slots=N, as many as ranks shall run there"},
        {"ifhn", "interfaces are chosen by -i, for all hosts"},
        {"binding", "ranks are bound by -bind-to, on all hosts alike"},
        {"map", "ranks are bound by -bind-to, on all hosts alike"},
        {"user", "user names belong in the configuration of ssh"},
        {"username", "user names belong in the configuration of ssh"},
        {"port", "ports belong in the configuration of ssh"},
    };
    return find(table, HWS_ARRAY_LEN(table), key, len);
}
