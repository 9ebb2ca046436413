#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks that other launchers start: Open MPI's mpirun or prterun (PMIx), Hydra's mpiexec (PMI-1) and srun (pmi2 and pmix), with a
# Slurm of its own: munged, slurmctld and two slurmds with a host name each, all on this machine's loopback. A rank that
# leaves early ends the job there as well.
set -u
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-$srcdir/build}" && pwd)
LEAVE=$builddir/tests/proc/stuck/leave
MPIRUN=$builddir/mpirun
LIMIT=$((60 * ${PROC_TIME_SCALE:-1}))
for v in ${!HAWSER_*} ${!PMI_*} ${!PMIX_*} ${!SLURM_*} ${!OMPI_*} ${!HYDRA_*}; do unset "$v"; done
N=0 TMP=$(mktemp -d) DAEMONS=()
cleanup() { for p in ${DAEMONS[@]+"${DAEMONS[@]}"}; do kill "$p" 2>/dev/null && wait "$p" 2>/dev/null; done; rm -rf "$TMP"; }
trap cleanup EXIT

ok() { N=$((N + 1)); echo "ok $N - $1"; }
not_ok() { N=$((N + 1)); echo "not ok $N - $1"; shift; printf '%s\n' "$@" | sed 's/^/#   /'; }
skip() { N=$((N + 1)); echo "ok $N # SKIP $1: $2"; }
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:  $2" "want: $3"; fi; }
run() { out=$(timeout $LIMIT "$@" 2>"$TMP/err" </dev/null); status=$?; }

# ends NAME COMMAND...: four ranks of LEAVE by COMMAND; LOCAL: what each rank says of the ranks of its host. MAY_BE=any: a failed
# job may have status 0 (Hydra's is a matter of luck when a rank exits with 0 and the others are killed)
ends()
{
    local name=$1; shift
    run "$@" "$LEAVE" well 4
    same "$name: ranks, hosts, messages" "$status $(sort <<<"$out" | tr '\n' ';')" "0 0 of 4, ${LOCAL[0]} local;1 of 4, ${LOCAL[1]} local;2 of 4, ${LOCAL[2]} local;3 of 4, ${LOCAL[3]} local;"
    local how
    for how in ${HOWS:-exit-before kill-before exit-inside kill-inside kill-late abort}; do
        run "$@" "$LEAVE" $how 4
        if [ $status != "${MAY_BE:-0}" ] && [ $status != 124 ]; then ok "$name: $how ends the job"; else not_ok "$name: $how ends the job" "status $status" "$(cat "$TMP/err")"; fi
    done
    for _ in $(seq 100); do pgrep -f "^$LEAVE " >"$TMP/left" || break; sleep 0.1; done
    if [ -s "$TMP/left" ]; then not_ok "$name: nothing is left" "$(cat "$TMP/left")"; else ok "$name: nothing is left"; fi
}

# ---- PMIx without a launcher ----
if [ -n "${PROC_NOT_PLAIN:-}" ]; then # libpmix is loaded with RTLD_DEEPBIND, which AddressSanitizer refuses
    NO_PMIX="not with ${PROC_NOT_PLAIN}"
else
    LIB=$(ldconfig -p | sed -n 's/.*libpmix\.so\.2 .*=> //p' | head -1)
    NO_PMIX=${LIB:+no}; [ "$NO_PMIX" = no ] && NO_PMIX= || NO_PMIX="no libpmix.so.2 (package libpmix2)"
fi
if [ -n "$NO_PMIX" ]; then
    skip "PMIx without its server" "$NO_PMIX"
else
    run env PMIX_NAMESPACE=none PMIX_RANK=0 "$LEAVE" well 1
    if [ $status != 0 ] && grep -q "MPI_Init.*PMIx server does not take this process: PMIx says" "$TMP/err"; then ok "PMIx without its server"; else not_ok "PMIx without its server" "$status" "$(cat "$TMP/err")"; fi
fi
if [ -z "$NO_PMIX" ] && unshare -m true 2>/dev/null; then
    hide="for f in $(ldconfig -p | sed -n 's/.*libpmix\.so\.2 .*=> //p' | tr '\n' ' '); do mount --bind /dev/null \$(readlink -f \$f); done; exec \"\$@\""
    run unshare -m sh -c "$hide" sh env PMIX_NAMESPACE=none PMIX_RANK=0 "$LEAVE" well 1
    if [ $status != 0 ] && grep -q "MPI_Init.*the launcher speaks PMIx, but libpmix.so.2 cannot be loaded: install libpmix2" "$TMP/err"; then ok "no libpmix"; else not_ok "no libpmix" "$status" "$(cat "$TMP/err")"; fi
    run unshare -m sh -c "$hide" sh env HAWSER_SINGLETON_OK=1 PMIX_NAMESPACE=none PMIX_RANK=0 "$LEAVE" well 1
    same "no libpmix, but alone is allowed" "$status $out" "0 0 of 1, 1 local"
else
    skip "no libpmix" "${NO_PMIX:-no right to unshare}"
fi

# ---- Open MPI, Hydra ----
LOCAL=(4 4 4 4)
ORTE=$(command -v prterun || command -v orterun)
if [ -n "$NO_PMIX" ] || [ -z "$ORTE" ]; then
    skip "Open MPI's launcher" "${NO_PMIX:-no prterun or orterun (package openmpi-bin)}"
else
    ends "${ORTE##*/}" "$ORTE" --allow-run-as-root --oversubscribe -n 4
fi
if command -v mpiexec.hydra >/dev/null; then MAY_BE=any ends Hydra mpiexec.hydra -n 4; else skip "Hydra" "no mpiexec.hydra (package mpich)"; fi

# ---- Slurm ----
no_slurm() { skip "Slurm" "$1"; echo "1..$N"; exit 0; }
[ "$(id -u)" = 0 ] || no_slurm "its daemons run as root here"
for c in munged slurmctld slurmd srun; do command -v $c >/dev/null || no_slurm "no $c (packages munge, slurm-wlm)"; done
unshare -u true 2>/dev/null || no_slurm "no right to unshare"
BASE=$((20000 + RANDOM % 20000))
export SLURM_CONF=$TMP/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$TMP/munge/socket
CredType=cred/munge
SlurmctldPort=$BASE
StateSaveLocation=$TMP/state
SlurmdSpoolDir=$TMP/spool.%n
TmpFS=$TMP/tmp.%n
SlurmctldPidFile=$TMP/slurmctld.pid
SlurmdPidFile=$TMP/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((BASE + 1)) CPUs=4
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((BASE + 2)) CPUs=4
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:4
CONF
mkdir -p "$TMP/munge" "$TMP/state" "$TMP/spool.n1" "$TMP/spool.n2" "$TMP/tmp.n1" "$TMP/tmp.n2"
chmod 711 "$TMP"; chmod 755 "$TMP/munge"
(umask 077; head -c 1024 /dev/urandom >"$TMP/munge/key")
munged --force --foreground --key-file="$TMP/munge/key" --socket="$TMP/munge/socket" --pid-file="$TMP/munge/pid" --seed-file="$TMP/munge/seed" \
    >"$TMP/munged.log" 2>&1 & DAEMONS+=($!)
for _ in $(seq 200); do [ -S "$TMP/munge/socket" ] && break; sleep 0.05; done
slurmctld -D >"$TMP/slurmctld.log" 2>&1 & DAEMONS+=($!)
for n in n1 n2; do
    unshare -u sh -c "hostname $n; exec slurmd -D -N $n" >"$TMP/slurmd.$n.log" 2>&1 & DAEMONS+=($!)
done
for _ in $(seq 200); do sinfo -h -t idle -o %D 2>/dev/null | grep -qx 2 && break; sleep 0.1; done
sinfo -h -t idle -o %D 2>/dev/null | grep -qx 2 || no_slurm "it does not start: $(tail -n 1 "$TMP"/slurm*.log | tr '\n' ' ')"

MODES="pmi2 pmix"
srun --mpi=list 2>&1 | grep -q pmix || NO_PMIX=${NO_PMIX:-this Slurm has no such plugin}
[ -z "$NO_PMIX" ] || { MODES=pmi2; skip "srun --mpi=pmix" "$NO_PMIX"; }
for m in $MODES; do
    LOCAL=(4 4 4 4); ends "srun --mpi=$m, one node" srun -Q --mpi=$m -N1 -n4
    LOCAL=(3 3 3 1); HOWS="exit-inside kill-inside kill-late abort" ends "srun --mpi=$m, two nodes" srun -Q --mpi=$m -N2 -n4
done
LOCAL=(3 3 3 1); HOWS=kill-later ends "srun --mpi=pmi2, two nodes, 12 s in MPI_Finalize" srun -Q --mpi=pmi2 -N2 -n4
# Of a rank alone on its node nobody sees that it ends before MPI_Init; the others say who is missing when they have waited for long enough.
for how in exit-before kill-before; do
    run env HAWSER_INITWAIT=3000 srun -Q --mpi=pmi2 -N2 -n4 "$LEAVE" $how 4
    same "srun --mpi=pmi2: $how on a node of its own ends the job by name" "$((status != 0 && status != 124)) $(grep -c 'MPI_Init.*rank 0 has waited for 3 s in MPI_Init for rank 3, which may have ended' "$TMP/err")" "1 1"
done
run srun -Q --mpi=none -N1 -n4 "$LEAVE" well 4
if [ $status != 0 ] && grep -q "use 'srun --mpi=pmix'" "$TMP/err"; then ok "srun --mpi=none is refused"; else not_ok "srun --mpi=none is refused" "$status" "$(cat "$TMP/err")"; fi

# ---- mpirun in an allocation ----
LINE="this is a Slurm allocation, so it goes on by srun (-rsh srun does so at once)"
LOCAL=(3 3 3 1); ends "salloc, mpirun by srun as ssh fails" salloc -Q -N2 -n4 "$MPIRUN"
run salloc -Q -N2 -n4 "$MPIRUN" "$LEAVE" well 4
same "a line says so once" "$(grep -c "mpirun: cannot reach host n[12] with 'ssh': .*; $LINE" "$TMP/err")" 1
mkdir "$TMP/bin"; ln -s "$(command -v srun)" "$(command -v env)" "$TMP/bin"
run salloc -Q -N2 -n4 "$(command -v env)" PATH="$TMP/bin" "$MPIRUN" "$LEAVE" well 4
same "without ssh" "$status $(wc -l <<<"$out") $(grep -c "cannot run 'ssh': No such file or directory; $LINE" "$TMP/err")" "0 4 1"
run salloc -Q -N2 -n4 "$MPIRUN" -rsh ssh "$LEAVE" well 4
same "ssh that the user asked for is not replaced" "$status $(grep -c "in a Slurm allocation -rsh srun reaches the hosts" "$TMP/err")" "1 1"
run salloc -Q -N2 -n4 "$MPIRUN" -rsh srun "$LEAVE" well 4
same "-rsh srun" "$status $(wc -l <<<"$out") $(wc -c <"$TMP/err")" "0 4 0"
printf '#!/bin/sh\n%s %s well 4\n' "$MPIRUN" "$LEAVE" >"$TMP/job"
run sbatch -Q -W -N2 -n4 -D "$TMP" -o "$TMP/job.out" "$TMP/job"
same "sbatch" "$status $(grep -c ' of 4, ' "$TMP/job.out")" "0 4"
same "nothing is queued" "$(squeue -h; squeue -h -s | grep -v extern)" ""
echo "1..$N"
