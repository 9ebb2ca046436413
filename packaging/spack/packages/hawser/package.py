# SPDX-License-Identifier: BSD-3-Clause
# Spack's recipe. From a clone of the repository:  spack repo add packaging/spack && spack install hawser
import pathlib

from spack.package import *

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]


class Hawser(AutotoolsPackage):
    """MPI library with the standard's binary interface of MPI 5.0, for clusters whose hosts are joined by Ethernet."""

    git = REPOSITORY.as_uri()
    version("main", branch="main")

    license("BSD-3-Clause")

    variant("fortran", default=True, description="mpif.h and the modules mpi and mpi_f08")
    variant("sctp", default=False, description="the SCTP transport")

    provides("mpi@:5")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type="build")
    depends_on("libev")
    depends_on("libsodium")
    depends_on("jemalloc")
    depends_on("hwloc")
    depends_on("openssl@3:")  # hawser-gateway
    depends_on("lksctp-tools", when="+sctp")

    conflicts("platform=darwin")
    conflicts("platform=windows")

    def autoreconf(self, spec, prefix):
        Executable("./autogen.sh")()

    def configure_args(self):
        args = []
        if self.spec.satisfies("~fortran"):
            args.append("--disable-fortran")
        if self.spec.satisfies("~sctp"):
            args.append("--without-sctp")
        return args

    @property
    def libs(self):
        return find_libraries("libmpi_abi", root=self.prefix, recursive=True)

    def setup_run_environment(self, env):
        env.set("MPICC", self.prefix.bin.mpicc)
        env.set("MPICXX", self.prefix.bin.mpicxx)
        if self.spec.satisfies("+fortran"):
            env.set("MPIF77", self.prefix.bin.mpif77)
            env.set("MPIF90", self.prefix.bin.mpif90)

    def setup_dependent_build_environment(self, env, dependent_spec):
        self.setup_run_environment(env)
        # the compilers behind mpicc and its like: Spack's own wrappers, of the languages that the package uses
        module = dependent_spec.package.module
        for variable, wrapper in (("HAWSER_CC", "spack_cc"), ("HAWSER_CXX", "spack_cxx"), ("HAWSER_FC", "spack_fc")):
            if hasattr(module, wrapper):
                env.set(variable, getattr(module, wrapper))

    def setup_dependent_package(self, module, dependent_spec):
        self.spec.mpicc = self.prefix.bin.mpicc
        self.spec.mpicxx = self.prefix.bin.mpicxx
        self.spec.mpifc = self.prefix.bin.mpifort
        self.spec.mpif77 = self.prefix.bin.mpif77
