#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A launcher of somebody else's, of which a test decides what it says of the hosts: PMI-1 and nothing more.

    launcher.py [-n] [-m MAPPING] [-c LENGTH] [-v LENGTH] RANKS[,HOST...] PROGRAM [ARG...]

MAPPING is the value of PMI_process_mapping (without: there is none), -c cuts it, -v is the longest value that it takes. With
HOSTs, rank R thinks that it is on the host HOST[R] (unshare, hostname); -n: which is a network namespace, too. Exit status: the first of a rank that is not 0.
"""
import argparse
import os
import selectors
import socket
import subprocess
import sys


def words(line):
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


class Job:
    def __init__(self, args, size):
        self.limit, self.size, self.inside, self.values, self.started = args.values, size, [], {}, []
        if args.mapping:
            self.values["PMI_process_mapping"] = args.mapping[: args.cut]

    def put(self, said):
        if len(said["value"]) >= self.limit:
            return "cmd=put_result rc=-1 msg=too_long"
        self.values[said["key"]] = said["value"]
        return "cmd=put_result rc=0 msg=success"

    def get(self, said):
        value = self.values.get(said["key"])
        return "cmd=get_result rc=-1 msg=key_not_found" if value is None else f"cmd=get_result rc=0 value={value}"

    def barrier(self, rank):
        self.inside.append(rank)
        if len(self.inside) == self.size:
            for one in self.inside:
                one.sendall(b"cmd=barrier_out rc=0\n")
            self.inside = []

    def abort(self):
        for one in self.started:
            one.kill()

    def answer(self, rank, line):
        said = words(line)
        cmd = said["cmd"]
        if cmd == "abort":
            return self.abort()
        if cmd == "barrier_in":
            return self.barrier(rank)
        fixed = {"init": "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
                 "get_maxes": f"cmd=maxes kvsname_max=64 keylen_max=64 vallen_max={self.limit}",
                 "get_appnum": "cmd=appnum appnum=0", "get_universe_size": f"cmd=universe_size size={self.size}",
                 "get_my_kvsname": "cmd=my_kvsname kvsname=kvs", "finalize": "cmd=finalize_ack rc=0"}
        text = self.put(said) if cmd == "put" else self.get(said) if cmd == "get" else fixed[cmd]
        try:
            rank.sendall(text.encode() + b"\n")
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has ended meanwhile, which its end of the socket says


def serve(job, ends):
    sel, rest = selectors.DefaultSelector(), {}
    for end in ends:
        sel.register(end, selectors.EVENT_READ)
    while sel.get_map():
        for key, _ in sel.select():
            try:
                data = key.fileobj.recv(65536)
            except ConnectionResetError:  # killed with an answer unread
                data = b""
            if not data:
                sel.unregister(key.fileobj)
                continue
            *lines, rest[key.fd] = (rest.get(key.fd, b"") + data).split(b"\n")
            for line in lines:
                job.answer(key.fileobj, line.decode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", dest="netns", action="store_true")
    parser.add_argument("-m", dest="mapping")
    parser.add_argument("-c", dest="cut", type=int)
    parser.add_argument("-v", dest="values", type=int, default=1024)
    parser.add_argument("ranks")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    size, *hosts = args.ranks.split(",")
    ends, job = [], Job(args, int(size))
    started = job.started
    for rank in range(int(size)):
        mine, theirs = socket.socketpair()
        env = dict(os.environ, PMI_FD=str(theirs.fileno()), PMI_RANK=str(rank), PMI_SIZE=size)
        on_host = ["unshare", "-u", "sh", "-c", f'hostname {hosts[rank]} && exec "$@"', "sh"] if hosts else []
        if args.netns:
            on_host = ["ip", "netns", "exec", hosts[rank], *on_host]
        started.append(subprocess.Popen(on_host + args.program, env=env, pass_fds=[theirs.fileno()]))
        theirs.close()
        ends.append(mine)
    serve(job, ends)
    sys.exit(next((status for one in started if (status := one.wait()) != 0), 0))


main()
