# SPDX-License-Identifier: BSD-3-Clause
"""What one seed of the campaign does: hosts, parameters, patterns, and which faults come when. The same for ever."""
import random

from faults import KINDS, Fault

PATTERNS = {"oneway": 3, "ring": 2, "pingpong": 2, "pairs": 2, "many": 3, "modes": 2, "collectives": 4, "types": 2, "persistent": 1,
            "partitioned": 1, "cancel": 2, "threads": 6}
THREADED = ("threads",)


def draw(rng, weighted):
    return rng.choices(list(weighted), list(weighted.values()))[0]


# What differs from the default in some of the jobs: flag, values, how often.
PARAMETERS = (
    ("tcpmaxfrag", ("4K", "16K", "256K"), 0.15),
    ("credit", ("4K", "32K"), 0.2),
    ("unexpected", ("64K", "512K"), 0.15),
    ("lanes", ("1", "2", "4"), 0.3),
    ("crc", ("1",), 0.15),
    ("progress", ("thread",), 0.15),
    ("shm", ("0",), 0.1),
    ("spin", ("0",), 0.1),
    ("tcpsilent", ("300", "3000"), 0.1),
    ("shmsinglecopy", ("0", "1"), 0.1),
)
RATES = {"20mbit": 2.5e6, "50mbit": 6.25e6, "100mbit": 12.5e6, "200mbit": 25e6, "400mbit": 50e6, "1gbit": 125e6}  # bytes/s


class Plan:
    """hosts, nics: names; rates: one a NIC; flags: of mpirun; args: of the ranks; faults; when: what their start counts from."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed = seed
        self.hosts = [f"h{i}" for i in range(draw(rng, {2: 6, 3: 3, 4: 2}))]
        self.nics = [f"n{i}" for i in range(draw(rng, {1: 3, 2: 4, 3: 2, 4: 1}))]
        self.per_host = draw(rng, {1: 6, 2: 3, 3: 1})
        self.np = self.per_host * len(self.hosts)
        self.lacking = self.draw_lacking(rng)
        self.rates = self.draw_rates(rng)
        self.transport = draw(rng, {"tcp": 6, "tcp-trc": 1})
        self.eager = draw(rng, {16384: 5, 1024: 1, 65536: 1, 0: 1})
        self.has_threads = rng.random() < 0.3
        self.patterns = self.draw_patterns(rng)
        self.max = rng.choice((64, 4096, self.eager + 1, 65537, 1 << 20, 4 << 20))
        self.when = draw(rng, {"init": 1, "first": 3, "mid": 5, "end": 1})
        self.calm = rng.uniform(0.2, 0.8)
        self.faults = self.draw_faults(rng)
        self.flags = self.draw_flags(rng)
        self.args = ["-q", str(seed), *(["-t"] if self.has_threads else []), "-p", ",".join(self.patterns), "-m", str(self.max),
                     "-e", str(self.eager), "-h", str(self.per_host)]

    def draw_lacking(self, rng):
        """A host and how many of the NICs it has, where hosts are uneven; else nothing."""
        host, n = rng.choice(self.hosts), rng.randrange(1, max(2, len(self.nics)))
        return (host, n) if n < len(self.nics) and rng.random() < 0.3 else None

    def named_nics(self):
        """Those of the network that -i names: a power of two."""
        return [f"n{i}" for i in range(1 << (len(self.nics) - 1).bit_length())]

    def nics_of(self, host):
        return self.nics[:self.lacking[1]] if self.lacking and self.lacking[0] == host else self.nics

    def draw_rates(self, rng):
        kind = draw(rng, {"none": 3, "equal": 3, "unequal": 2})
        same = rng.choice(("100mbit", "400mbit", "1gbit"))
        each = [rng.choice(("20mbit", "50mbit", "200mbit", "1gbit")) for _ in self.nics]
        return {"none": [""] * len(self.nics), "equal": [same] * len(self.nics), "unequal": each}[kind]

    def draw_patterns(self, rng):
        names = {name: weight for name, weight in PATTERNS.items() if name not in THREADED or self.has_threads}
        return sorted({draw(rng, names) for _ in range(rng.choice((1, 1, 2, 4)))})

    def draw_faults(self, rng):
        faults, start = [], rng.uniform(0, 1) if self.when == "mid" else 0
        for _ in range(draw(rng, {1: 5, 2: 4, 3: 2, 4: 1})):
            faults.append(self.draw_fault(rng, start, len(faults)))
            start += rng.uniform(0.05, 1.5)
        return faults

    def draw_fault(self, rng, start, number):
        kinds = {name: k.weight for name, k in KINDS.items()
                 if (number or self.when != "init" or k.before_start) and not (k.breaks and self.transport == "tcp-trc")}
        longest = 4 if self.transport == "tcp-trc" else 5  # TCP alone waits up to twice as long as the silence lasted
        kind, host = draw(rng, kinds), rng.choice(self.hosts)
        fault = Fault(f"fault{number}", kind, host, rng.choice(self.nics_of(host)), start,
                      rng.choice((0.05, 0.3, 0.8, 1.5, 2.5)[:longest]) * rng.uniform(0.8, 1.2), rng.choice((1, 5, 20, 50)),
                      rng.randrange(self.np))
        fault.hosts, fault.nics = self.hosts, self.nics
        fault.rate = self.rates[self.nics.index(fault.nic)]
        return fault

    def draw_flags(self, rng):
        flags = ["-i", f"10.77.0.0/{24 - (len(self.nics) - 1).bit_length()}", "-transport", self.transport, "-tcpeagersend", str(self.eager)]
        for flag, values, often in PARAMETERS:
            value = rng.choice(values)
            if rng.random() < often:
                flags += ["-" + flag, value]
        longest = sum(f.seconds for f in self.faults)
        if rng.random() < 0.2 and longest < 3:
            flags += ["-tcpdeadline", "6000"]
        return flags

    def own_seconds(self):
        """What a longest message of each other rank takes to one rank's host: where all send to one, no wait is shorter, fault or not."""
        slowest = min(self.hosts, key=lambda host: len(self.nics_of(host)))
        rates = [RATES.get(rate, 0) for rate, nic in zip(self.rates, self.nics) if nic in self.nics_of(slowest)]
        return (self.np - 1) * self.max / sum(rates) if all(rates) else 0.0

    def text(self):
        rates = ",".join(rate or "-" for rate in self.rates)
        lacking = f" ({self.lacking[1]} at {self.lacking[0]})" if self.lacking else ""
        return (f"seed {self.seed}: {len(self.hosts)} hosts x {self.per_host}, {rates}{lacking}; {' '.join(self.flags[2:])}; "
                f"{' '.join(self.args[2:])}; {self.when}: " + "; ".join(f.text() for f in self.faults))
