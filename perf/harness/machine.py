# SPDX-License-Identifier: BSD-3-Clause
"""What was measured on."""

import os


def describe():
    def field(path, key):
        with open(path, encoding="utf-8") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith(key)), "?")

    system = os.uname()
    memory = int(field("/proc/meminfo", "MemTotal").split()[0]) * 1024 / 1e9
    return {"cpu": field("/proc/cpuinfo", "model name"), "cores": len(os.sched_getaffinity(0)),
            "kernel": "%s %s" % (system.sysname, system.release), "memory_gb": round(memory, 1),
            "load_at_start": os.getloadavg()[0]}


def caption(result):
    machine = result["machine"]
    return "Measured %s on %s, %d cores, %s, %.0f GB; %s." % (
        result["date"], machine["cpu"], machine["cores"], machine["kernel"], machine["memory_gb"],
        "; ".join(version for key, version in result["versions"].items() if not key.startswith("raw")))
