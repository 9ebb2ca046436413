#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A remote shell over one plain TCP connection, for the hosts of tests/support/netns: as with ssh, what becomes of mpirun's connection to a
daemon is the network's affair. No secrets, no login: for namespaces only.

    relay.py serve HOST        runs on HOST: starts what it is told, with the connection as its stdin and stdout
    relay.py HOST COMMAND...   called as ssh is
"""
import os
import socket
import struct
import subprocess
import sys
import threading

PORT = 7099


def serve(host):
    socket.sethostname(host)
    listener = socket.create_server(("0.0.0.0", PORT), backlog=64)
    print("ready", flush=True)
    while True:
        connection = listener.accept()[0]
        length = struct.unpack("<I", connection.recv(4, socket.MSG_WAITALL))[0]
        command = connection.recv(length, socket.MSG_WAITALL).decode()
        subprocess.Popen(["sh", "-c", command], stdin=connection, stdout=connection, stderr=subprocess.DEVNULL)
        connection.close()


def pump(read, write):
    while data := read(65536):
        write(data)


def give_input(connection):
    pump(lambda n: os.read(0, n), connection.sendall)
    connection.shutdown(socket.SHUT_WR)


def run(host, command):
    connection = socket.create_connection((host, PORT))
    words = command.encode()
    connection.sendall(struct.pack("<I", len(words)) + words)
    threading.Thread(target=give_input, args=(connection,), daemon=True).start()
    with os.fdopen(1, "wb", buffering=0) as out:
        pump(connection.recv, out.write)


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    run(sys.argv[1], " ".join(sys.argv[2:]))
