#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A man in the middle: takes TCP connections that nftables redirected here, passes them on to where they were going, and
flips a bit now and then.

    flip.py EVERY

prints its port; at SIGTERM it prints how many bits it flipped. The first bytes of each direction pass unchanged (the
hello proves itself); after them one bit is flipped about every EVERY bytes.
"""
import random
import select
import signal
import socket
import struct
import sys
import threading

HELLO_BYTES = 512
SO_ORIGINAL_DST = 80  # linux/netfilter_ipv4.h
rng = random.Random(4711)
n_flipped = 0


def flip(data, passed, due):
    """Flips the bits that are due in the bytes after `passed`; returns the data and when the next is due."""
    global n_flipped
    while due < passed + len(data):
        at = due - passed
        data[at] ^= 1 << rng.randrange(8)
        n_flipped += 1
        due += 1 + int(rng.expovariate(1 / every))
    return data, due


def pump(source, sink):
    passed, due = 0, HELLO_BYTES + int(rng.expovariate(1 / every))
    try:
        while data := bytearray(source.recv(1 << 18)):
            data, due = flip(data, passed, due)
            passed += len(data)
            sink.sendall(data)
    except OSError:
        pass
    for s in (source, sink):  # the one's end is the other's
        try:
            s.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client):
    raw = client.getsockopt(socket.SOL_IP, SO_ORIGINAL_DST, 16)
    port, address = struct.unpack("!2xH4s8x", raw)
    try:
        server = socket.create_connection((socket.inet_ntoa(address), port), timeout=100)
    except OSError:
        client.close()
        return
    server.settimeout(None)
    for s in (client, server):
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=pump, args=(client, server), daemon=True).start()
    pump(server, client)


def finish(*_):
    print(n_flipped, flush=True)
    sys.exit(0)


every = int(sys.argv[1])
listener = socket.create_server(("", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
signal.signal(signal.SIGTERM, finish)
while True:
    select.select([listener], [], [])
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
