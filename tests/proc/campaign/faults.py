# SPDX-License-Identifier: BSD-3-Clause
"""The faults of the campaign: a table of kinds, and one fault of a plan with its begin and end.

A NIC is a pair (host, nic) of tests/support/netns -b with bridges: its cable ends in the port p<net>-<host> of the bridge in "sw".
"""
import os
import signal
import subprocess
import threading
import time

from hosts import in_host, nics


def port(host, nic):
    return f"p{nic[1:]}-{host[1:]}"


def address(host, nic):
    return f"10.77.{nic[1:]}.{int(host[1:]) + 1}/24"


def ip(namespace, *words):
    subprocess.run(["ip", "-n", namespace, *words], stdin=subprocess.DEVNULL, check=True)


def rule(host, name, text):
    """A rule for what arrives at a host, until unrule()."""
    in_host(host, "nft", f"table inet {name} {{ chain in {{ type filter hook input priority 0; {text}; }}\n}}")


def unrule(host, name):
    in_host(host, "nft", f"delete table inet {name}")


def isolate(name, ports):
    """The bridges forward nothing from or to these ports, until rejoin()."""
    names = "{ " + ", ".join(ports) + " }"
    in_host("sw", "nft", f"table bridge {name} {{ chain in {{ type filter hook prerouting priority 0; iifname {names} drop; }}\n"
            f"chain out {{ type filter hook forward priority 0; oifname {names} drop; }}\n}}")


def rejoin(name):
    in_host("sw", "nft", f"delete table bridge {name}")


class Filter:
    """A kind that is a rule at this host, or at all others for what this one sends."""

    def __init__(self, text, is_outgoing=False):
        self.text, self.is_outgoing = text, is_outgoing

    def places(self, f):
        return [h for h in f.hosts if h != f.host] if self.is_outgoing else [f.host]

    def begin(self, f):
        source = "ip saddr " + address(f.host, f.nic)[:-3] if self.is_outgoing else ""
        for host in self.places(f):
            rule(host, f.name, f"iifname {f.nic} {source} " + self.text.format(percent=f.percent))

    def end(self, f):
        for host in self.places(f):
            unrule(host, f.name)


class Down:
    """Set down by hand: the host itself knows at once."""

    def begin(self, f):
        nics("down", f.host, f.nic)

    def end(self, f):
        nics("up", f.host, f.nic)


class Unplugged:
    """The port of the switch goes down: the host has no carrier."""

    def begin(self, f):
        ip("sw", "link", "set", port(f.host, f.nic), "down")

    def end(self, f):
        ip("sw", "link", "set", port(f.host, f.nic), "up")
        nics("up", f.host, f.nic)


class Silent:
    """The switch forwards nothing any more, in either direction, and nobody is told."""

    def begin(self, f):
        isolate(f.name, [port(f.host, f.nic)])

    def end(self, f):
        rejoin(f.name)


class Dark:
    """The same with all NICs of a host at once."""

    def begin(self, f):
        isolate(f.name, [port(f.host, nic) for nic in f.nics])

    def end(self, f):
        rejoin(f.name)


class Killed:
    """Its connections are destroyed, at the begin and at the end."""

    def begin(self, f):
        nics("kill", f.host, f.nic)

    def end(self, f):
        nics("kill", f.host, f.nic)


class Slow:
    """Another rate for what leaves there."""

    def begin(self, f):
        nics("rate", f.host, f.nic, "8mbit")

    def end(self, f):
        if f.rate:
            nics("rate", f.host, f.nic, f.rate)
        else:
            in_host(f.host, "tc", "qdisc", "del", "dev", f.nic, "root")


class Stopped:
    """A rank is stopped and goes on."""

    def begin(self, f):
        self.signal(f, signal.SIGSTOP)

    def end(self, f):
        self.signal(f, signal.SIGCONT)

    @staticmethod
    def signal(f, number):
        for pid in f.pids(f.rank):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


class Kind:
    """weight: how often it is drawn. is_outage: whether it takes away a NIC or a rank, so that a stop is no wonder.
    before_start: whether a job can be started in it; an interface that is down then is not used at all.
    breaks: it ends connections, which costs the peer over tcp-trc (docs/decisions/015)."""

    def __init__(self, how, weight, is_outage=True, before_start=False, breaks=False):
        self.how, self.weight, self.is_outage, self.before_start, self.breaks = how, weight, is_outage, before_start, breaks


KINDS = {
    "down": Kind(Down(), 4),
    "unplugged": Kind(Unplugged(), 2),
    "silent": Kind(Silent(), 4, before_start=True),
    "deaf": Kind(Filter("drop"), 2, before_start=True),
    "mute": Kind(Filter("drop", is_outgoing=True), 2, before_start=True),
    "reset": Kind(Filter("tcp flags & (syn | rst) == 0 reject with tcp reset"), 3, before_start=True, breaks=True),
    "refused": Kind(Filter("meta l4proto tcp reject with tcp reset"), 2, before_start=True, breaks=True),
    "killed": Kind(Killed(), 3, is_outage=False, breaks=True),
    "dark": Kind(Dark(), 2, before_start=True),
    "grey": Kind(Filter("numgen random mod 100 < {percent} drop"), 2, before_start=True),
    "slow": Kind(Slow(), 1, is_outage=False, before_start=True),
    "stopped": Kind(Stopped(), 2),
}


class Fault:
    """One fault of a plan. start: seconds after the moment the plan counts from."""

    def __init__(self, name, kind, host, nic, start, seconds, percent, rank):
        self.name, self.kind, self.host, self.nic = name, kind, host, nic
        self.start, self.seconds, self.percent, self.rank = start, seconds, percent, rank
        self.hosts, self.nics, self.rate = (), (), ""  # the plan's
        self.pids = lambda rank: []                    # the job's
        self.interval, self.error = None, ""

    def text(self):
        where = {"stopped": f"rank {self.rank}", "dark": self.host}.get(self.kind, f"{self.host}/{self.nic}")
        percent = f" {self.percent} %" if self.kind == "grey" else ""
        return f"+{self.start:.2f} {where} {self.kind}{percent} for {self.seconds:.2f}"

    @property
    def is_outage(self):
        return KINDS[self.kind].is_outage and (self.kind != "grey" or self.percent >= 20)

    def begin(self):
        begin = time.monotonic()
        KINDS[self.kind].how.begin(self)
        self.interval = (begin, begin)

    def end(self):
        KINDS[self.kind].how.end(self)
        self.interval = (self.interval[0], time.monotonic())


class Timeline(threading.Thread):
    """Lets one fault come and go. A fault that has begun is ended in any case."""

    def __init__(self, fault, origin):
        super().__init__(daemon=True)
        self.fault, self.origin = fault, origin
        self.start()

    def run(self):
        f = self.fault
        try:
            if not f.interval:
                time.sleep(max(0, self.origin + f.start - time.monotonic()))
                f.begin()
            time.sleep(max(0, f.interval[0] + f.seconds - time.monotonic()))
            f.end()
        except (OSError, subprocess.SubprocessError) as error:
            f.error = f"{f.text()}: {error}"


def lacking(plan):
    """The NICs in the network of -i that a host of the plan does not have."""
    return [(host, nic) for host in plan.hosts for nic in plan.named_nics() if nic not in plan.nics_of(host)]


def prepare(plan):
    """The rates of a plan, and the addresses away that a host lacks."""
    for nic, rate in zip(plan.nics, plan.rates):
        for host in plan.hosts if rate else ():
            nics("rate", host, nic, rate)
    for host, nic in lacking(plan):
        ip(host, "addr", "del", address(host, nic), "dev", nic)


def restore(plan):
    for nic, rate in zip(plan.nics, plan.rates):
        for host in plan.hosts if rate else ():
            in_host(host, "tc", "qdisc", "del", "dev", nic, "root")
    for host, nic in lacking(plan):
        ip(host, "addr", "add", address(host, nic), "dev", nic)
