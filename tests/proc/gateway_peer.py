#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that know nothing of gateways, for gateway.test.py: a server, and clients that try it in several ways.

    gateway_peer.py serve ADDRESS             PORT echoes, PORT + 1 closes first, PORT + 2 resets, PORT + 3 reads slowly
    gateway_peer.py WHAT [ARG...] ADDRESS     exits with 1 and a line if something is wrong
"""
import hashlib
import os
import socket
import struct
import sys
import threading
import time

PORT = 9000
DEADLINE = 50


def pattern(n, seed):
    block = b"".join(hashlib.sha256(b"%d %d" % (seed, i)).digest() for i in range(min(n, 1 << 20) // 32 + 1))
    return (block * (n // len(block) + 1))[:n]


def read_all(c):
    parts = []
    while part := c.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def dial(address, port):
    c = socket.create_connection((address, port), timeout=DEADLINE)
    c.settimeout(DEADLINE)
    return c


# ---- the server ------------------------------------------------------------------------------------------------------

def echo(c, peer):
    while data := c.recv(1 << 16):
        c.sendall(data if data != b"who am I" else ("%s %d" % peer).encode())
    c.shutdown(socket.SHUT_WR)
    c.close()


def close_first(c, _):
    c.sendall(pattern(100000, 1))
    c.shutdown(socket.SHUT_WR)
    assert read_all(c) == pattern(200000, 2)
    c.close()


def reset(c, _):
    c.recv(1)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    c.close()


def read_slowly(c, peer):
    time.sleep(3)
    echo(c, peer)


def serve(address):
    listeners = []
    for at, handler in enumerate((echo, close_first, reset, read_slowly)):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((address, PORT + at))
        s.listen(1024)
        listeners.append((s, handler))

    def run(s, handler):
        while True:
            c, peer = s.accept()
            assert c.getpeername() == peer
            threading.Thread(target=handler, args=(c, peer), daemon=True).start()
    for s, handler in listeners:
        threading.Thread(target=run, args=(s, handler), daemon=True).start()
    print("ready", flush=True)
    threading.Event().wait()


# ---- the clients -----------------------------------------------------------------------------------------------------

def echo_once(address, n, seed, problems):
    try:
        data = pattern(n, seed)
        with dial(address, PORT) as c:
            sender = threading.Thread(target=lambda: (c.sendall(data), c.shutdown(socket.SHUT_WR)))
            sender.start()
            got = read_all(c)
            sender.join()
        if got != data:
            problems.append("%d bytes of %d came back, or others" % (len(got), n))
    except OSError as problem:
        problems.append("%d bytes: %r" % (n, problem))


def try_echo(address, connections, sizes):
    problems = []
    threads = [threading.Thread(target=echo_once, args=(address, int(n), i, problems)) for i in range(int(connections)) for n in sizes.split(",")]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return problems


def try_names(address):
    with dial(address, PORT) as c:
        c.sendall(b"who am I")
        said, own = c.recv(100).decode(), "%s %d" % c.getsockname()
        return [] if said.split()[0] == own.split()[0] and c.getpeername() == (address, PORT) else ["%s, not %s; %s" % (said, own, c.getpeername())]


def try_reused(address):
    """A descriptor is closed behind the library's back, and its number becomes another connection, which stays in this host."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        fd = dial(address, PORT).detach()
        os.closerange(fd, fd + 1)
        with socket.create_connection(listener.getsockname()) as c:
            return [] if c.fileno() == fd and c.getpeername() == listener.getsockname() else ["%d, not %d: %s" % (c.fileno(), fd, c.getpeername())]


def try_slow(address):
    problems = []
    with dial(address, PORT + 3) as slow:
        slow.setblocking(False)
        sent = 0
        try:
            while sent < 1 << 28:
                sent += slow.send(bytes(1 << 16))
        except BlockingIOError:
            pass
        start = time.monotonic()
        echo_once(address, 100000, 5, problems)
        if time.monotonic() - start > 30:
            problems.append("another connection was held up")
        slow.setblocking(True)
        slow.settimeout(DEADLINE)
        drain = threading.Thread(target=slow.shutdown, args=(socket.SHUT_WR,))
        drain.start()
        got = len(read_all(slow))
        if got != sent:
            problems.append("%d of %d bytes came back" % (got, sent))
    return problems


def try_ends(address):
    problems = []
    with dial(address, PORT + 1) as c:
        if read_all(c) != pattern(100000, 1):
            problems.append("the server's bytes before its end are not all there")
        c.sendall(pattern(200000, 2))
        c.shutdown(socket.SHUT_WR)
        if c.recv(1) != b"":
            problems.append("bytes behind the end")
    for port in (PORT + 2, PORT + 9):
        with dial(address, port) as c:
            try:
                c.sendall(b"x")
                problems.append("port %d: no error, but %r" % (port, c.recv(1)))
            except ConnectionError:
                pass
    return problems


def try_many(address, connections, n):
    open_ones = [dial(address, PORT) for _ in range(int(connections))]
    problems = []
    data = pattern(int(n), 3)

    def send():
        for c in open_ones:
            c.sendall(data)
    sender = threading.Thread(target=send)
    sender.start()
    for c in open_ones:
        got = b""
        while len(got) < len(data) and (part := c.recv(1 << 16)):
            got += part
        if got != data:
            problems.append("%d bytes of %d" % (len(got), len(data)))
    sender.join()
    for c in open_ones:
        c.close()
    return problems


def gives_nothing(gateway, what):
    """A stranger that sends this to the gateway must get not a byte."""
    with socket.create_connection((gateway, 7500), timeout=DEADLINE) as c:
        c.settimeout(DEADLINE)
        try:
            if what:
                c.sendall(what)
            return c.recv(1) == b""
        except ConnectionError:
            return True


def try_strangers(address, gateway):
    problems = []
    try: # this process has the wrong key
        with dial(address, PORT) as c:
            c.sendall(b"who am I")
            problems.append("with another key: %r" % c.recv(100))
    except ConnectionError:
        pass
    for what in (b"", b"GET / HTTP/1.0\r\n\r\n" * 10, os.urandom(500), b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x4d" + bytes(77)):
        if not gives_nothing(gateway, what):
            problems.append("%r got an answer" % what[:20])
    return problems


def main():
    what, *args, address = sys.argv[1:]
    if what == "serve":
        serve(address)
    tries = {"echo": try_echo, "names": try_names, "reused": try_reused, "slow": try_slow, "ends": try_ends, "many": try_many, "strangers": try_strangers}
    problems = tries[what](address, *args)
    print("\n".join(problems[:20]))
    os._exit(bool(problems))


if __name__ == "__main__":
    main()
