# SPDX-License-Identifier: BSD-3-Clause
"""tcp_stream: one TCP stream for perf/cast -t, and its rate between two moments.

    tcp_stream.py sink PORT FROM TO       prints the rate (Mbit/s) of what comes from FROM to TO (seconds of CLOCK_MONOTONIC, as of perf/src/cast.c's window); ends 1 s later
    tcp_stream.py source ADDRESS PORT     sends until the sink has had enough
"""
import socket
import sys
import time


def sink(port, begin, end):
    with socket.create_server(("", port)) as listener:
        conn, _ = listener.accept()
    n_bytes = 0
    while True:
        n = len(conn.recv(1 << 16))
        now = time.monotonic()
        if n == 0 or now >= end + 1:
            break
        n_bytes += n if begin <= now < end else 0
    print(f"TCP beside it: {n_bytes * 8 / (end - begin) / 1e6:.2f} Mbit/s", flush=True)


def source(address, port):
    block = bytes(1 << 16)
    for _ in range(100):
        try:
            conn = socket.create_connection((address, port), 1)
            break
        except OSError:
            time.sleep(0.05)
    conn.settimeout(None)
    try:
        while True:
            conn.sendall(block)
    except OSError:
        pass


if sys.argv[1] == "sink":
    sink(int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
else:
    source(sys.argv[2], int(sys.argv[3]))
