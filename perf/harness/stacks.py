# SPDX-License-Identifier: BSD-3-Clause
"""The things that are compared: how to build a program with each and how to start it on the hosts that tests/support/netns made.

All of them use TCP between all ranks, also between those of one host, unless a stack's shares_memory is set. MPICH would
use its own shared memory within a host (MPIR_CVAR_NOLOCAL) and UCX would find a way across the namespaces (UCX_TLS); Open
MPI's byte transfer layers are named. No rank is bound to a processor in any of them: Open MPI would bind the first rank of
both "hosts" to the same one.
"""

import os
import shutil
import subprocess

WITH_FORTRAN = {"pingpong": ["pingpong_mpi.f90", "pingpong_f08.f90"]}  # what is linked with a program
PROGRAMS = ["latency", "bandwidth", "collectives", "startup", "idle", "flood", "datatypes", "patterns", "nicflows",
            "threads"]
# Debian's mpi.h of MPICH declares statuses as arrays of no length, which makes gcc warn about MPI_STATUSES_IGNORE.
CFLAGS = ["-std=gnu11", "-O2", "-w"]
RAW_PORT = 7711


def _first_line(argv):
    try:
        out = subprocess.run(argv, capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "?"
    return out.strip().splitlines()[0].strip() if out.strip() else "?"


def _package_version(package):
    return _first_line(["dpkg-query", "-W", "-f", "${Version}", package])


def install(build, prefix):
    """Installs a build tree of Hawser into a prefix and returns it; raises RuntimeError with the reason."""
    if not os.path.exists(os.path.join(build, "Makefile")):
        raise RuntimeError("no build tree at %s (--build DIR or --hawser PREFIX)" % build)
    done = subprocess.run(["make", "-s", "-C", build, "install", "prefix=" + prefix], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError("make install failed:\n" + done.stderr[-2000:])
    return prefix


class Stack:
    """One MPI. key names it in the results, name in the table."""

    key = name = ""
    shares_memory = False  # within a host, as it does by default

    def __init__(self, folder):
        self.folder = os.path.join(folder, self.key)
        self.agent = os.environ.get("PERF_RSH", "ssh")  # tests/support/netns sets these three
        self.nics = os.environ.get("PERF_NICS", "lo").split(",")[:1]
        self.hosts = os.environ.get("PERF_HOSTS", "localhost").split(",")

    def compiler(self):
        raise NotImplementedError

    def fortran(self):
        """The wrapper that compiles Fortran."""
        return self.compiler().replace("mpicc", "mpifort")

    def missing(self):
        """Why it can't be measured here, or None."""
        tool = self.compiler()
        return None if shutil.which(tool) else tool + " not found"

    def build(self, sources, programs=None):
        """programs: None for all."""
        os.makedirs(self.folder, exist_ok=True)
        for program in programs or PROGRAMS:
            if program in WITH_FORTRAN:
                self.compile_with_fortran(program, sources)
            else:
                self.compile(program, os.path.join(sources, program + ".c"))

    def compile(self, program, source, *flags):
        subprocess.run([self.compiler(), *CFLAGS, *flags, "-o", os.path.join(self.folder, program), source], check=True)

    def compile_with_fortran(self, program, sources):
        """The C file and its Fortran files, by each language's wrapper, linked by Fortran's."""
        c_object = os.path.join(self.folder, program + ".o")
        self.compile(program + ".o", os.path.join(sources, program + ".c"), "-c")
        subprocess.run([self.fortran(), "-O2", "-w", "-o", os.path.join(self.folder, program), c_object,
                        *(os.path.join(sources, name) for name in WITH_FORTRAN[program])], check=True)

    def host_list(self, ranks):
        share = -(-ranks // len(self.hosts))
        return ",".join("%s:%d" % (host, share) for host in self.hosts)

    def command(self, ranks, program, args):
        return self.launcher(ranks) + [os.path.join(self.folder, program), *args]

    def launcher(self, ranks):
        raise NotImplementedError

    def one_host_command(self, ranks, program, args):
        """The same with all ranks on this host and the stack's own shared memory; None: it has none."""
        launcher = self.one_host_launcher(ranks)
        return launcher + [os.path.join(self.folder, program), *args] if launcher else None

    def one_host_launcher(self, ranks):
        return None

    def environment(self):
        return {}


class Hawser(Stack):
    key, name = "hawser", "Hawser"

    def __init__(self, folder, prefix):
        super().__init__(folder)
        self.prefix = prefix

    def compiler(self):
        return os.path.join(self.prefix, "bin", "mpicc")

    def version(self):
        return _first_line([os.path.join(self.prefix, "bin", "mpirun"), "--version"])

    def launcher(self, ranks):
        return [os.path.join(self.prefix, "bin", "mpirun"), "-n", str(ranks), "-host", self.host_list(ranks),
                "-rsh", self.agent, "-i", ",".join(self.nics)]

    def environment(self):
        return {} if self.shares_memory else {"HAWSER_SHM": "0"}

    def one_host_launcher(self, ranks):
        return [os.path.join(self.prefix, "bin", "mpirun"), "-n", str(ranks)]


class Mpich(Stack):
    key, name = "mpich", "MPICH"

    def compiler(self):
        return "mpicc.mpich"

    def version(self):
        return "MPICH " + _package_version("mpich")

    def launcher(self, ranks):
        return ["mpiexec.hydra", "-launcher", "rsh", "-launcher-exec", self.agent, "-iface", self.nics[0], "-hosts",
                self.host_list(ranks), "-n", str(ranks)]

    def environment(self):
        rails = str(len(self.nics))  # its own default: one for short messages, two for long ones
        several = {"UCX_MAX_EAGER_RAILS": rails, "UCX_MAX_RNDV_RAILS": rails} if len(self.nics) > 1 else {}
        return {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": ",".join(self.nics), **self.no_local(), **several}

    def no_local(self):
        return {} if self.shares_memory else {"MPIR_CVAR_NOLOCAL": "1"}

    def one_host_launcher(self, ranks):
        return ["mpiexec.hydra", "-n", str(ranks)]


class OpenMpi(Stack):
    key, name = "openmpi", "Open MPI"
    memory = "vader"  # its byte transfer layer of that kind

    def compiler(self):
        return "mpicc.openmpi"

    def version(self):
        return "Open MPI " + _package_version("libopenmpi3")

    def layers(self):
        return "tcp,self" + ("," + self.memory if self.shares_memory else "")

    def launcher(self, ranks):
        options = {"plm_rsh_agent": self.agent, "pml": "ob1", "btl": self.layers(), "btl_tcp_if_include": ",".join(self.nics),
                   "oob_tcp_if_include": self.nics[0]}
        return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", str(ranks),
                "--host", self.host_list(ranks)] + [word for pair in options.items() for word in ("--mca", *pair)]

    def one_host_launcher(self, ranks):
        return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)]


class Installed(Stack):
    """One in a prefix, where it was built from its sources."""

    def __init__(self, folder, prefix):
        super().__init__(folder)
        self.bin = os.path.join(prefix, "bin")

    def compiler(self):
        return os.path.join(self.bin, "mpicc")


class NewMpich(Installed, Mpich):
    """Over libfabric (--with-device=ch4:ofi)."""

    key, name = "mpich5", "MPICH 5"

    def version(self):
        words = _first_line([os.path.join(self.bin, "mpichversion")]).split()
        return "MPICH " + words[-1] if words else "MPICH"

    def launcher(self, ranks):
        return [os.path.join(self.bin, "mpiexec.hydra")] + super().launcher(ranks)[1:]

    def environment(self):
        return {"FI_PROVIDER": "tcp", "FI_TCP_IFACE": self.nics[0], **self.no_local()}

    def one_host_launcher(self, ranks):
        return [os.path.join(self.bin, "mpiexec.hydra"), "-n", str(ranks)]


class NewOpenMpi(Installed, OpenMpi):
    """From 5 on it is PRRTE that starts, with options of its own."""

    key, name = "openmpi5", "Open MPI 5"
    memory = "sm"

    def version(self):
        return "Open MPI " + _first_line([os.path.join(self.bin, "mpirun"), "--version"]).rpartition(" ")[2]

    def one_host_launcher(self, ranks):
        return [os.path.join(self.bin, "mpirun")] + super().one_host_launcher(ranks)[1:]

    def launcher(self, ranks):
        nic, starts = self.nics[0], {"plm_ssh_agent": self.agent, "prte_if_include": self.nics[0]}
        options = {"pml": "ob1", "btl": self.layers(), "btl_tcp_if_include": ",".join(self.nics)}
        return self.one_host_launcher(ranks) + ["--host", self.host_list(ranks), "--pmixmca", "ptl_tcp_if_include", nic] + \
            [word for pair in starts.items() for word in ("--prtemca", *pair)] + \
            [word for pair in options.items() for word in ("--mca", *pair)]


class RawTcp(Stack):
    """Not an MPI: two processes with a socket. Only the point-to-point programs have a counterpart in it."""

    key, name = "raw", "raw TCP"

    def compiler(self):
        return "cc"

    def version(self):
        return "spinning non-blocking sockets, TCP_NODELAY, default buffers"

    def build(self, sources, programs=None):
        os.makedirs(self.folder, exist_ok=True)
        subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-o", os.path.join(self.folder, "raw_tcp"),
                        os.path.join(sources, "raw_tcp.c")], check=True)

    def launcher(self, ranks):
        return []

    def command(self, ranks, program, args):
        if ranks != 2 or program not in ("latency", "bandwidth"):
            return None
        op = [] if "-o" in args else ["-o", program]
        binary = os.path.join(self.folder, "raw_tcp")
        address = "%s.%s.2" % (os.environ["PERF_NET"], self.nics[0][1:])
        # The server's end is awaited, so that the job is over when its command is.
        script = '"$1" h1 "$2 server $3 $4" & shift; binary=$1; shift; "$binary" client "$@"; status=$?; wait; exit $status'
        return ["sh", "-c", script, "sh", self.agent, binary, address, str(RAW_PORT), *args, *op]


class RawTcpSmall(RawTcp):
    """The same with 64 KiB socket buffers: what a bound on the bytes in flight is worth."""

    key, name = "raw64k", "raw TCP, 64 KiB buffers"

    def version(self):
        return "as raw, SO_SNDBUF and SO_RCVBUF 64 KiB"

    def command(self, ranks, program, args):
        if program != "bandwidth" or "-o" in args:
            return None
        words = super().command(ranks, program, [*args, "-b", "65536"])
        words[2] = words[2].replace("$3 $4", "$3 $4 -b 65536")
        return words
