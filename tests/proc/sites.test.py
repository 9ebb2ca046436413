#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A job of two sites whose ranks reach each other by gateways alone, which mpirun starts. TAP.

Needs root or user namespaces, iproute2 and nftables. h0, h1 and h2 are site a, h3, h4 and h5 site b; h0, h1, h3 and h4 are gateways, h2
and h5 run the ranks, and no packet goes between them and the other site. Nothing here depends on how long something takes, but that what
hangs is ended.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
NETNS = HERE.parent / "support/netns"
BUILD = pathlib.Path(os.environ.get("builddir", ".")).resolve()
LIMIT = 60 * float(os.environ.get("PROC_TIME_SCALE", "1"))
MARK = "SITES_TEST"  # in the environment of all that this test begins

ONE = """h0 slots=0 site=a gateway
h2 slots=2 site=a
h3 slots=0 site=b gateway lan=10.77.0.4 wan=10.77.0.4
h5 slots=2 site=b
"""
TWO = ONE + """h1 slots=0 site=a gateway wan=none
h4 slots=0 site=b gateway
"""

MIXED = """h0 site=a gateway
h3 site=b gateway
h1 site=a
h4 site=b
h2 site=a
h5 site=b
"""

failed = done = 0


def verdict(what, problem):
    global failed, done
    done += 1
    failed += bool(problem)
    print("%s %d - %s" % ("not ok" if problem else "ok", done, what), flush=True)
    for line in str(problem or "").splitlines():
        print("# " + line, flush=True)


def nft(host, *words):
    subprocess.run(["ip", "netns", "exec", host, "nft", *words], check=True)


def drop(host, table, addresses):
    nft(host, "add", "table", "ip", table)
    nft(host, "add", "chain", "ip", table, "out", "{ type filter hook output priority 0; }")
    nft(host, "add", "rule", "ip", table, "out", "ip", "daddr", "{ %s }" % ", ".join(addresses), "drop")


def drop_arriving(host, table, address):
    """As a WAN loses them: the sender is not told, as it is where its own kernel drops them."""
    nft(host, "add", "table", "ip", table)
    nft(host, "add", "chain", "ip", table, "in", "{ type filter hook input priority 0; }")
    nft(host, "add", "rule", "ip", table, "in", "ip", "saddr", address, "drop")


def part_the_sites():
    drop("h2", "closed", ["10.77.0.4", "10.77.0.5", "10.77.0.6"])
    drop("h5", "closed", ["10.77.0.1", "10.77.0.2", "10.77.0.3"])


def run(hosts, *words, meanwhile=None):
    """Exit status and output of a job; the status is None if it did not end."""
    with tempfile.NamedTemporaryFile("w", suffix=".hosts") as file:
        file.write(hosts)
        file.flush()
        command = [str(BUILD / "mpirun"), "-rsh", os.environ["PERF_RSH"], "-hostfile", file.name, *map(str, words)]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
            try:
                if meanwhile:
                    meanwhile()
                out, _ = job.communicate(timeout=LIMIT)
                return job.returncode, out
            except subprocess.TimeoutExpired:
                job.kill()
                return None, job.communicate()[0]


def processes(program, name=""):
    """The processes of that program that this test began, with that word as an argument or all. Other tests run beside."""
    found, own = [], ("%s=%d" % (MARK, os.getpid())).encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
            is_own = own in pathlib.Path("/proc", pid, "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if is_own and words[0].endswith(program.encode()) and name.encode() in words[1:] + [b""]:
            found.append(int(pid))
    return found


def gateways(name=""):
    return processes("/hawser-gateway", name)


def ranks_running():
    return processes("/survival/stream") + processes("/survival/later")


def wait_for(condition):
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)


def test_map():
    status, out = run(TWO, "-display-map", "-n", 4, "/bin/true")
    wanted = ["host h2 of site a: ranks 0-1", "host h5 of site b: ranks 2-3", "host h1: gateway of site a"]
    verdict("-display-map names sites and gateways", None if status == 0 and all(w in out for w in wanted) else out)


def test_ways():
    """Nothing parts the sites yet, and they are near. A job may begin before its gateways know that, or the machine be too busy to tell."""
    def flows(way):
        status, out = run(ONE, "-v", "-wan", way, "-n", 4, BUILD / "tests/proc/basic/exchange")
        found = [int(n) for n in re.findall(r"to \S+ of site \S+: .* (\d+) in all", out)]
        return (found if status == 0 and len(found) == 2 else None), "status %s\n%s" % (status, out)
    found, out = flows("gateway")
    verdict("-wan gateway goes through gateways where a direct connection is better", None if found and min(found) > 0 else out)
    for _ in range(10):
        found, out = flows("auto")
        if not found or max(found) == 0:
            break
    verdict("-wan auto goes directly there", None if found and max(found) == 0 else out)


def test_collectives():
    status, out = run(ONE, "-v", "-n", 4, BUILD / "tests/proc/coll/all")
    flows = re.findall(r"to \S+ of site \S+: .* (\d+) in all", out)
    verdict("collectives of ranks that only the gateways join", None if status == 0 and flows and all(int(n) > 0 for n in flows) else out)
    verdict("the gateways end with the job", gateways())


def test_counters():
    status, out = run(ONE, "-n", 4, BUILD / "tests/proc/tools/sites", "gateways")
    verdict("MPI_T tells each rank what passed between its site and another rank's", None if status == 0 else out)


def test_page():
    """1 MiB to site b and as much back, so both directions of both gateways have a line that says it."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        status, out = run(ONE, "-report", page, "-n", 4, BUILD / "tests/proc/coll/sites")
        text = page.read_text() if page.exists() else ""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    lanes = {lane[0]: lane[1] for lane in json.loads(found.group(1))["lanes"]} if found else {}
    wanted = ["h0: gateway to site b", "h0: gateway from site b", "h3: gateway to site a", "h3: gateway from site a"]
    verdict("the page of -report has the ways between sites", None if status == 0 and all(2**20 <= lanes.get(w, 0) < 2**22 for w in wanted) else
            "status %s\n%s\n%s" % (status, out, lanes))


def test_once():
    """One rank a host, neighbours in different sites. 1 MiB is broadcast from site a, and reduced to all."""
    status, out = run(MIXED, "-v", "-wan", "gateway", "-n", 6, BUILD / "tests/proc/coll/sites")
    from_a = re.search(r"to \S+ of site b: .* (\d+) bytes out, (\d+) in", out)
    bounds = (int(2.1 * 2**20), int(1.1 * 2**20))
    good = status == 0 and from_a and all(int(n) <= bound for n, bound in zip(from_a.groups(), bounds))
    verdict("each byte crosses between the sites once", None if good else out)


def count_to_b(change):
    """Bytes that the hosts of site a send to those of site b while change() runs, and what that returns."""
    site_a, site_b = ("h0", "h1", "h2"), "{ 10.77.0.4, 10.77.0.5, 10.77.0.6 }"
    for host in site_a:
        nft(host, "add", "table", "ip", "count")
        nft(host, "add", "chain", "ip", "count", "out", "{ type filter hook output priority 0; }")
        nft(host, "add", "rule", "ip", "count", "out", "ip", "daddr", site_b, "counter")
    result, total = change(), 0
    for host in site_a:
        said = subprocess.run(["ip", "netns", "exec", host, "nft", "list", "table", "ip", "count"], capture_output=True, text=True, check=True).stdout
        total += int(re.search(r"bytes (\d+)", said).group(1))
        nft(host, "delete", "table", "ip", "count")
    return total, result


def test_other_launcher():
    """HAWSER_SITES is all that collectives need to know sites, under any launcher that says which ranks share a host."""
    what = "HAWSER_SITES under Hydra: each byte crosses between the sites once"
    if not shutil.which("mpiexec.hydra"):
        verdict(what + " # SKIP no mpiexec.hydra", None)
        return
    command = ["mpiexec.hydra", "-launcher", "ssh", "-launcher-exec", os.environ["PERF_RSH"], "-hosts", "h0,h3,h1,h4,h2,h5", "-n", "6",
               str(BUILD / "tests/proc/coll/sites")]
    env = dict(os.environ, HAWSER_SITES="a,b,a,b,a,b", HAWSER_MULTICAST="0")
    n, job = count_to_b(lambda: subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False))
    verdict(what, None if job.returncode == 0 and 2**21 <= n <= int(2.1 * 2**20) else "%d bytes, status %d\n%s" % (n, job.returncode, job.stderr))


def trunks_of_h0():
    """The congestion control of each connection that leads from there to the other site's gateway."""
    said = subprocess.run(["ip", "netns", "exec", "h0", "ss", "-tinH", "state", "established", "dst", "10.77.0.4"], capture_output=True, text=True, check=True)
    return re.findall(r"^\s+(?:ts |sack |ecn )*(\w+) wscale", said.stdout, re.M)


def test_trunks():
    """As many trunks as the host file says, and with the congestion control that it names."""
    hosts = re.sub("gateway", "gateway trunks=3 congestion=reno", ONE)
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        stop = pathlib.Path(folder, "stop")

        def meanwhile():
            wait_for(lambda: len(trunks_of_h0()) == 3 and len(ranks_running()) == 2)
            time.sleep(1)
            seen.extend(trunks_of_h0())
            stop.touch()
        status, out = run(hosts, "-n", 2, "-map-by", "node", BUILD / "tests/proc/survival/stream", "-d", "both", "-s", "1000-20000", "-u", stop,
                          meanwhile=meanwhile)
    verdict("trunks= and congestion= of a host file", None if status == 0 and seen == ["reno"] * 3 else "%s, status %s\n%s" % (seen, status, out))


def test_direct():
    status, out = run(ONE, "-wan", "direct", "-tcpdeadline", 500, "-n", 4, BUILD / "tests/proc/basic/exchange")
    verdict("-wan direct does without, so here nothing leads there", None if status not in (0, None) and "gateway" not in out else out)


def test_failures():
    """One gateway of site a is killed, then the other one's way is cut, longer than any gateway waits."""
    folder = pathlib.Path(tempfile.mkdtemp())
    stop = folder / "stop"

    def meanwhile():
        wait_for(lambda: gateways("a.0") and len(ranks_running()) == 2)
        time.sleep(1)
        for pid in gateways("a.0"):
            os.kill(pid, signal.SIGKILL)
        time.sleep(1)
        drop("h1", "cut", ["10.77.0.4", "10.77.0.5"])
        time.sleep(8)
        nft("h1", "delete", "table", "ip", "cut")
        time.sleep(1)
        stop.touch()
    status, out = run(TWO, "-n", 2, "-map-by", "node", BUILD / "tests/proc/survival/stream", "-d", "both", "-s", "1000-200000", "-u", stop,
                      meanwhile=meanwhile)
    verdict("a gateway is killed, the other cut off for 8 s: nothing is lost", None if status == 0 and "gateway a.0 on host h0 " in out else "status %s\n%s" % (status, out))
    shutil.rmtree(folder)


def roles(stop, wake):
    """Jobs of a rank a site: site a sends, it receives, both do; and a waits while nothing is under way until `wake` is there."""
    stream = [BUILD / "tests/proc/survival/stream", "-s", "1000-200000", "-u", stop, "-d"]
    return {"site a sends": stream + ["forward"], "site a receives": stream + ["backward"], "both send": stream + ["both"],
            "site a waits": [BUILD / "tests/proc/survival/later", wake]}


def run_roles(stop, wake, meanwhile, *flags):
    """All of them at once. Their results by name; meanwhile() runs when their ranks have begun."""
    results, threads = dict.fromkeys(roles(stop, wake)), []

    def run_one(name, command):
        results[name] = run(ONE, *flags, "-n", 2, "-map-by", "node", *command)
    for name, command in roles(stop, wake).items():
        threads.append(threading.Thread(target=run_one, args=(name, command)))
        threads[-1].start()
    wait_for(lambda: len(ranks_running()) == 2 * len(threads))
    time.sleep(1)
    meanwhile()
    for thread in threads:
        thread.join()
    return results


def take_windows_back():
    """The gateways' kernels shall do so after an idle time; with bbr they do not. False: it cannot be set here."""
    set_it = "cd /proc/sys/net/ipv4 && echo reno > tcp_congestion_control && echo 1 > tcp_slow_start_after_idle"
    return all(subprocess.run(["ip", "netns", "exec", host, "sh", "-c", set_it], stderr=subprocess.DEVNULL, check=False).returncode == 0 for host in ("h0", "h3"))


def test_cut():
    """The only way between the only gateways is cut, longer than these keep what goes through them."""
    with tempfile.TemporaryDirectory() as folder:
        stop, wake = pathlib.Path(folder, "stop"), pathlib.Path(folder, "wake")

        def meanwhile():
            drop_arriving("h0", "cut", "10.77.0.4")
            drop_arriving("h3", "cut", "10.77.0.1")
            wake.touch()
            time.sleep(8)
            nft("h0", "delete", "table", "ip", "cut")
            nft("h3", "delete", "table", "ip", "cut")
            time.sleep(1)
            stop.touch()
        can_count = take_windows_back()
        results = run_roles(stop, wake, meanwhile, "-v")
        _, out = results["site a waits"]
        counts = re.findall(r" (\d+) segments sent again, (\d+) idle restarts", out)
        what = "counters hold what trunks had that are over: segments sent again"
        verdict(what, None if len(counts) == 2 and any(int(c[0]) for c in counts) else out)
        restarts = sum(int(n) for _, text in results.values() for n in re.findall(r" (\d+) idle restarts", text))
        why = "congestion control cannot be set here" if not can_count else "no window had grown before it was idle"
        verdict("and idle restarts" + ("" if restarts else " # SKIP " + why), None)
        for role, (status, out) in results.items():
            verdict("one gateway a site, cut off for 8 s, %s: nothing is lost" % role,
                    None if status == 0 and re.search("trunk .* ended", out) else "status %s\n%s" % (status, out))


def test_way_lost():
    """Direct connections go first, as the sites are near, until nothing goes between the ranks' hosts any more. Parts the sites for good."""
    with tempfile.TemporaryDirectory() as folder:
        stop, wake = pathlib.Path(folder, "stop"), pathlib.Path(folder, "wake")

        def meanwhile():
            part_the_sites()
            wake.touch()
            time.sleep(3)
            stop.touch()
        for role, (status, out) in run_roles(stop, wake, meanwhile, "-v", "-tcpdeadline", 20000).items():
            flows = re.findall(r"to \S+ of site \S+: .* (\d+) in all", out)
            good = status == 0 and flows and int(flows[0]) > 0
            began_directly = re.search(r": [1-9]\d* lanes lost", out)
            verdict("-wan auto, the direct way is lost, %s: the job goes on through gateways" % role +
                    ("" if began_directly or not good else " # SKIP it began through them: they did not know yet how near the other site is"),
                    None if good else "status %s\n%s" % (status, out))


def test_death():
    """The only gateway of a site is killed: the job ends when -tcpdeadline has passed, and says why."""
    with tempfile.TemporaryDirectory() as folder:
        def meanwhile():
            for pid in gateways("a.0"):
                os.kill(pid, signal.SIGKILL)
        never = pathlib.Path(folder, "never")
        for role, (status, out) in run_roles(never, never, meanwhile, "-tcpdeadline", 1500).items():
            said = ["gateway a.0 on host h0 was killed by signal 9", "MPI_ERR_OTHER"]
            lost = re.search("not to be had again|cannot be reached", out)  # the latter: killed before there was a connection
            good = status not in (0, None) and lost and all(w in out for w in said) and "gateway b.1 on host h3" not in out
            verdict("the only gateway is killed, %s: the job ends" % role, None if good else "status %s\n%s" % (status, out))


def inside():
    os.environ[MARK] = str(os.getpid())
    test_other_launcher()
    test_ways()
    test_way_lost()
    test_map()
    test_collectives()
    test_counters()
    test_page()
    test_once()
    test_trunks()
    test_direct()
    test_failures()
    test_cut()
    test_death()
    print("1..%d" % done)
    sys.exit(failed > 0)


def main():
    for tool in ("ip", "nft", "unshare"):
        if not shutil.which(tool):
            print("1..0 # SKIP no " + tool)
            return
    if not (BUILD / "hawser-gateway").exists():
        print("1..0 # SKIP built without OpenSSL")
        return
    if subprocess.run([str(NETNS), "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode:
        print("1..0 # SKIP namespaces may not be made here")
        return
    os.execv(str(NETNS), [str(NETNS), "-n", "6", sys.executable, __file__, "--inside"])


if __name__ == "__main__":
    if "--inside" in sys.argv:
        inside()
    main()
