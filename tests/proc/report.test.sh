#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Where ranks wait, as mpirun says it: at -timeout, on SIGUSR1, by -report; on this host and on others. No verdict depends
# on a time: the report is asked for until it says what it must, and its seconds are taken out. Prints TAP.
: "${builddir:=.}"
MPIRUN=${MPIRUN:-$builddir/mpirun}
STUCK=$builddir/tests/proc/stuck/stuck
TMP=$(mktemp -d) || exit 1
trap 'rm -rf "$TMP"' EXIT
for v in ${!HAWSER_*} ${!PMI_*} ${!SLURM_*} ${!PBS_*} MPIEXEC_TIMEOUT; do unset "$v"; done
# AddressSanitizer would take the signals before the library does.
[ -z "${ASAN_OPTIONS+x}" ] || export ASAN_OPTIONS=$ASAN_OPTIONS:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0
N=0
LIMIT=60 # s; only ends what hangs

ok() { N=$((N + 1)); echo "ok $N - $1"; }
not_ok() { N=$((N + 1)); echo "not ok $N - $1"; shift; printf '%s\n' "$@" | sed 's/^/# /'; }
skip() { N=$((N + 1)); echo "ok $N - $1 # SKIP $2"; }
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:    $2" "wanted: $3"; fi; }
until_true() { local end=$((SECONDS + LIMIT)); while [ $SECONDS -lt $end ]; do if eval "$1"; then return 0; fi; sleep 0.05; done; return 1; }
plain() { sed -E 's/[0-9]+(\.[0-9])?( to [0-9.]+)? s(;|:|$)/T s\3/; s/^mpirun: //'; }
# Asks the running mpirun until its answer is $1.
ask() { "$MPIRUN" -report "$pid" 2>"$TMP/ask.err" | plain >"$TMP/report"; [ "$(cat "$TMP/report")" = "$1" ]; }
# stuck NAME REPORT FLAGS...: a job of these flags and words must come to report just that.
stuck() {
    local name=$1 report=$2
    shift 2
    "$MPIRUN" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null & pid=$!
    if until_true 'ask "$report"'; then ok "$name"; else not_ok "$name" "got:    $(cat "$TMP/report" "$TMP/ask.err")" "wanted: $report"; fi
    kill -TERM $pid; wait $pid 2>/dev/null
}
locked() { printf '%s\nall %d ranks wait in MPI and nothing has moved for T s: a deadlock is suspected' "$2" "$1"; }

for shm in 1 0; do
    how="-shm $shm"
    stuck "a receive with another tag, $how" "$(locked 4 "ranks 0, 2-3: MPI_Barrier on MPI_COMM_WORLD, for T s
rank 1: MPI_Recv from rank 0, tag 7, on MPI_COMM_WORLD, for T s; a message from rank 0 with tag 9 is here without a receive")" $how -n 4 "$STUCK" tag
    stuck "a probe for anything, $how" "$(locked 3 "ranks 0, 2: MPI_Barrier on MPI_COMM_WORLD, for T s
rank 1: MPI_Probe from any rank, any tag, on MPI_COMM_WORLD, for T s")" $how -n 3 "$STUCK" any
    stuck "MPI_Waitsome and MPI_Ssend, $how" "$(locked 3 "rank 0: MPI_Waitsome for 2 of 2 requests, the first a receive from any rank, tag 0, on MPI_COMM_WORLD, for T s; a message from rank 1 with tag 9 is here without a receive
rank 1: MPI_Ssend to rank 0, tag 9, on MPI_COMM_WORLD, for T s
rank 2: MPI_Ssend to rank 1, tag 9, on MPI_COMM_WORLD, for T s")" $how -n 3 "$STUCK" some
    stuck "MPI_Sendrecv on a communicator with a name, $how" "$(locked 1 "rank 0: MPI_Sendrecv from rank 0, tag 2, on the ring, for T s; a message from rank 0 with tag 1 is here without a receive" | sed 's/all 1 ranks wait/rank 0 waits/')" $how -n 1 "$STUCK" named
done
stuck "a rank that computes: nobody speaks of a deadlock" "rank 0: computing, waits in no MPI call
ranks 1-2: MPI_Bcast on MPI_COMM_WORLD, for T s" -n 3 "$STUCK" busy
stuck "a rank that waits in two threads" "$(locked 2 "rank 0: MPI_Recv from rank 1, tag 5, on MPI_COMM_WORLD, for T s
rank 0: MPI_Recv from rank 1, tag 6, on MPI_COMM_WORLD, for T s
rank 1: MPI_Barrier on MPI_COMM_WORLD, for T s")" -n 2 "$STUCK" threads
stuck "a rank that nobody has heard of MPI" "ranks 0-1: before MPI_Init" -n 2 sleep 300

"$MPIRUN" -n 2 "$STUCK" tag >"$TMP/out" 2>"$TMP/err" </dev/null & pid=$!
until_true 'ask "$(locked 2 "rank 0: MPI_Barrier on MPI_COMM_WORLD, for T s
rank 1: MPI_Recv from rank 0, tag 7, on MPI_COMM_WORLD, for T s; a message from rank 0 with tag 9 is here without a receive")"'
kill -USR1 $pid
if until_true 'grep -q "^mpirun: rank 0: MPI_Barrier on MPI_COMM_WORLD, for" "$TMP/err"'; then ok "SIGUSR1 to mpirun"; else not_ok "SIGUSR1 to mpirun" "$(cat "$TMP/err")"; fi
rank=$(pgrep -P $pid -n); kill -STOP "$rank"
if until_true '"$MPIRUN" -report $pid | grep -q ": stopped by a signal$"'; then ok "a rank that is stopped"; else not_ok "a rank that is stopped" "$("$MPIRUN" -report $pid)"; fi
kill -CONT "$rank"; kill -TERM $pid; wait $pid 2>/dev/null

# A slow machine's ranks may not all be there yet, or one may be and the next not.
for seconds in 1 5 30; do
    want="124 rank 0: computing, waits in no MPI call
ranks 1-2: MPI_Bcast on MPI_COMM_WORLD, for T s
the job did not end within $seconds seconds"
    timeout $LIMIT "$MPIRUN" -timeout $seconds -n 3 "$STUCK" busy >"$TMP/out" 2>"$TMP/err" </dev/null; status=$?
    [ "$status $(plain <"$TMP/err")" != "$want" ] || break
done
same "-timeout says where the ranks are" "$status $(plain <"$TMP/err")" "$want"
timeout $LIMIT "$MPIRUN" -timeout 0.2 -n 2 sleep 300 >"$TMP/out" 2>"$TMP/err" </dev/null; status=$?
same "but not of programs without MPI" "$status $(cat "$TMP/err")" "124 mpirun: the job did not end within 0.2 seconds"

"$MPIRUN" -report $$ >"$TMP/out" 2>"$TMP/err"; status=$?
same "a process that is no mpirun" "$status $(cat "$TMP/out")$(cut -d: -f1,2 "$TMP/err")" "1 mpirun: process $$ is no mpirun of Hawser on this host"
"$MPIRUN" -report me >"$TMP/out" 2>"$TMP/err"; status=$?
same "neither a process number nor a page" "$status $(cat "$TMP/err")" "2 mpirun: -report: 'me' is neither the process number of an mpirun nor a file whose name ends in .html"
"$MPIRUN" -report 0 >"$TMP/out" 2>"$TMP/err"; status=$?
same "no process number" "$status $(cat "$TMP/err")" "2 mpirun: -report: '0' is not a process number from 1 to 999999999"

# ---- ranks that die
# The last job's lines without numbers that differ, and of the calls only whether MPI_Send and main are among them.
death() {
    timeout $LIMIT "$MPIRUN" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null; status=$?
    sed -E "s/host $(hostname)/host H/; s/pid [0-9]+/pid P/; s/, core dumped//" "$TMP/err" | grep -E '^(hawser|mpirun|my own)' >"$TMP/lines"
    echo "$status $(cat "$TMP/lines")"
}
calls() { grep -cE "^[^ ]*(\(|/)($1)" "$TMP/err"; }
for shm in 1 0; do
same "a crash in an MPI call, -shm $shm" "$(death -n 2 -shm $shm "$STUCK" crash)" "139 hawser: rank 1 on host H: SIGSEGV, in MPI_Send; the calls that led there, the last one first:
mpirun: rank 1 on host H (pid P) was killed by signal 11 (SIGSEGV) in MPI_Send"
if [ "$(calls 'P?MPI_Send')" -ge 1 ] && [ "$(calls "stuck/stuck")" -ge 1 ]; then ok "and its calls, -shm $shm"; else not_ok "and its calls, -shm $shm" "$(cat "$TMP/err")"; fi
done
same "a crash outside MPI" "$(death -n 2 "$STUCK" abort)" "134 hawser: rank 1 on host H: SIGABRT; the calls that led there, the last one first:
mpirun: rank 1 on host H (pid P) was killed by signal 6 (SIGABRT)"
same "a crash outside MPI while another thread waits in it" "$(death -n 2 "$STUCK" aside)" "134 hawser: rank 1 on host H: SIGABRT; the calls that led there, the last one first:
mpirun: rank 1 on host H (pid P) was killed by signal 6 (SIGABRT)"
same "a crash in an operation of the program's own" "$(death -n 2 "$STUCK" operator)" "134 hawser: rank 1 on host H: SIGABRT, in MPI_Reduce_local; the calls that led there, the last one first:
mpirun: rank 1 on host H (pid P) was killed by signal 6 (SIGABRT) in MPI_Reduce_local"
same "a program's own handler is left alone" "$(death -n 2 "$STUCK" handler | sed "s/ in MPI_Send.*//")" "139 my own handler
mpirun: rank 1 on host H (pid P) was killed by signal 11 (SIGSEGV)"
same "-backtrace 0" "$(death -backtrace 0 -n 2 "$STUCK" crash | sed "s/ in MPI_Send.*//")" "139 mpirun: rank 1 on host H (pid P) was killed by signal 11 (SIGSEGV)"
"$MPIRUN" -n 2 "$STUCK" deaf >"$TMP/out" 2>"$TMP/err" </dev/null & pid=$!
until_true 'ask "$(locked 2 "rank 0: MPI_Barrier on MPI_COMM_WORLD, for T s
rank 1: MPI_Recv from rank 0, tag 7, on MPI_COMM_WORLD, for T s")"'
for rank in $(pgrep -P $pid); do tr '\0' '\n' <"/proc/$rank/environ" 2>/dev/null | grep -qx PMI_RANK=1 && kill -KILL "$rank"; done
wait $pid; status=$?
same "a rank that is killed while it waits" "$status $(sed -E "s/host $(hostname)/host H/; s/pid [0-9]+/pid P/" "$TMP/err")" "137 mpirun: rank 1 on host H (pid P) was killed by signal 9 (SIGKILL) in MPI_Recv from rank 0, tag 7, on MPI_COMM_WORLD"
if [ -n "${ASAN_OPTIONS+x}" ]; then
    skip "a core dump is made" "a core of AddressSanitizer's has terabytes"
elif (ulimit -c unlimited) 2>/dev/null && [ "$(cat /proc/sys/kernel/core_pattern)" = core ]; then
    (mkdir "$TMP/core" && cd "$TMP/core" && ulimit -c unlimited && case $MPIRUN in /*) ;; *) cd - >/dev/null;; esac
     timeout $LIMIT "$MPIRUN" -wdir "$TMP/core" -n 2 "$(realpath "$STUCK")" crash >/dev/null 2>"$TMP/err" </dev/null)
    same "a core dump is made" "$(ls "$TMP/core" | grep -c '^core') $(grep -c 'core dumped' "$TMP/err")" "1 1"
else
    skip "a core dump is made" "cores are not files here"
fi

# ---- other hosts: a remote shell that stays here
cat >"$TMP/rsh" <<'RSH'
#!/bin/bash
host=$1; shift
exec unshare --uts sh -c 'hostname "$0"; exec "$@"' "$host" "$@"
RSH
chmod +x "$TMP/rsh"
if unshare --uts true 2>/dev/null; then
    stuck "ranks of other hosts" "$(locked 4 "ranks 0, 2-3: MPI_Barrier on MPI_COMM_WORLD, for T s
rank 1: MPI_Recv from rank 0, tag 7, on MPI_COMM_WORLD, for T s; a message from rank 0 with tag 9 is here without a receive")" -rsh "$TMP/rsh" -host far1:2,far2:2 -n 4 -shm 0 "$STUCK" tag
    stuck "a part of the ranks computes on another host" "rank 0: computing, waits in no MPI call
ranks 1-3: MPI_Bcast on MPI_COMM_WORLD, for T s" -rsh "$TMP/rsh" -host far1:2,far2:2 -n 4 "$STUCK" busy
    stuck "a set of requests" "rank 0: MPI_Waitall for 2 of 3 requests, the first a receive from rank 1, tag 1, on MPI_COMM_WORLD, for T s
ranks 1-3: MPI_Comm_split on MPI_COMM_WORLD, for T s
all 4 ranks wait in MPI and nothing has moved for T s: a deadlock is suspected" -rsh "$TMP/rsh" -host far1:2,far2:2 -n 4 -coll allgather=ring "$STUCK" set
    same "a crash on another host" "$(death -rsh "$TMP/rsh" -host far1,far2 -n 2 "$STUCK" crash)" "139 hawser: rank 1 on host far2: SIGSEGV, in MPI_Send; the calls that led there, the last one first:
mpirun: rank 1 on host far2 (pid P) was killed by signal 11 (SIGSEGV) in MPI_Send"
else
    skip "ranks of other hosts" "no user or uts namespaces"
fi
echo "1..$N"
