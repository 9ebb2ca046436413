#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What mpirun promises its user, word for word: messages, exit statuses, output, input, signals, and that nothing is left
# behind. Prints TAP. MPIRUN names the program under test (default: the one in the build tree); the ranks are
# tests/proc/pmi_client, which needs no MPI library, or plain commands.
: "${builddir:=.}"
MPIRUN=${MPIRUN:-$builddir/mpirun}
CLIENT=${PMI_CLIENT:-$builddir/tests/proc/pmi_client}
HOST=$(hostname)
here=$(dirname "$0")
TMP=$(mktemp -d) || exit 1
CPUSET=
trap 'rm -rf "$TMP"; [ -z "$CPUSET" ] || rmdir "$CPUSET" 2>/dev/null' EXIT
for v in ${!HAWSER_*} ${!PMI_*} ${!SLURM_*} ${!PBS_*} ${!LSB_*} ${!OAR_*} ${!COBALT_*} PE_HOSTFILE ${!HYDRA_*} ${!OMPI_*} MPIEXEC_TIMEOUT; do unset "$v"; done
N=0
LIMIT=300 # s; no verdict depends on time, this only ends what hangs

ok() { N=$((N + 1)); echo "ok $N - $1"; }
not_ok() { N=$((N + 1)); echo "not ok $N - $1"; shift; printf '%s\n' "$@" | sed 's/^/# /'; }
skip() { N=$((N + 1)); echo "ok $N - $1 # SKIP $2"; }
# Runs mpirun with these arguments: $status, $out, $err (pids and this host's name made constant; without the notice that
# hosts are still waited for, which depends on the machine's other work).
run() {
    timeout $LIMIT "$MPIRUN" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
    status=$?
    out=$(cat "$TMP/out")
    err=$(sed -E "/^mpirun: still waiting for /d; s/pid [0-9]+/pid P/; s/host $HOST( |:|$)/host HOST\1/" "$TMP/err")
}
# want NAME STATUS STDOUT STDERR: compares with the last run.
want() {
    if [ "$status" = "$2" ] && [ "$out" = "$3" ] && [ "$err" = "$4" ]; then ok "$1"; return; fi
    not_ok "$1" "status $status instead of $2" "stdout: $out" "wanted: $3" "stderr: $err" "wanted: $4"
}
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:    $2" "wanted: $3"; fi; }
# The processes whose environment carries this mark; zombies have none.
marked() { grep -lsa "HWS_CLI_MARK=$1" /proc/[0-9]*/environ 2>/dev/null | wc -l; }
# Waits until a command is true; what is not so after that long hangs. Less than the "sleep 300" of what must not be left.
until_true() { local end=$((SECONDS + 120)); while [ $SECONDS -lt $end ]; do if eval "$1"; then return 0; fi; sleep 0.05; done; return 1; }
# Whether all processes with this mark are gone: their end may come a little later than mpirun's.
gone() { until_true "[ \$(marked $1) = 0 ]"; echo $?; }

# ---- plain commands and output
run -n 3 echo hello; want "a command that is no MPI program just runs" 0 $'hello\nhello\nhello' ""
run echo one; same "without -n and hosts there is a rank for each processor" "$status $(grep -cx one "$TMP/out")" "0 $(nproc)"
HAWSER_HOSTFILE=; run -host localhost:3 echo one; want "without -n there is a rank for each slot" 0 $'one\none\none' ""; unset HAWSER_HOSTFILE
run -n 1 "$CLIENT" print : -n 2 "$CLIENT" print
same "programs joined by ':' have their numbers" "$status $(sort "$TMP/out")" "0 rank 0 of 3, 3 on this host, app 0, universe 3, launcher 1
rank 1 of 3, 3 on this host, app 1, universe 3, launcher 1
rank 2 of 3, 3 on this host, app 1, universe 3, launcher 1"
run -n 2 sh -c 'echo $PMI_RANK/$PMI_SIZE $MPI_LOCALRANKID/$MPI_LOCALNRANKS $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE $OMPI_COMM_WORLD_LOCAL_RANK/$OMPI_COMM_WORLD_LOCAL_SIZE $OMPI_COMM_WORLD_NODE_RANK'
same "rank variables" "$(sort "$TMP/out")" $'0/2 0/2 0/2 0/2 0\n1/2 1/2 1/2 1/2 1'
run -n 2 --tag-output sh -c 'printf "a\nb"'
same "-tag-output puts the rank before each line" "$(sort "$TMP/out")" $'[0] a\n[0] b\n[1] a\n[1] b'
run -n 16 sh -c 'for i in 1 2 3 4 5 6 7 8; do printf "%s" "$PMI_RANK:"; printf "%s\n" "$(printf "%0200d" $PMI_RANK)"; done'
same "lines of 16 ranks never mix" "$(sort "$TMP/out" | uniq -c | awk '{ print $1, length($2) }' | sort | uniq -c | sed 's/^ *//')" $'10 8 202\n6 8 203'
run -n 1 sh -c 'printf "no newline"'; same "the end of output stays as it is" "$(od -An -c "$TMP/out" | tr -d ' \n')" "nonewline"
same "output of 20 MB arrives whole" "$("$MPIRUN" -n 1 head -c 20000000 /dev/zero </dev/null | wc -c)" 20000000
run -x A=1 -x HWS_CLI_X -genv B 2 -n 1 sh -c 'echo $A $B ${HWS_CLI_X-unset}' ; want "-x and -genv" 0 "1 2 unset" ""
export HWS_CLI_X=from-here; run -x HWS_CLI_X -wdir / -n 1 sh -c 'echo $HWS_CLI_X; pwd'; want "-x VAR and -wdir" 0 $'from-here\n/' ""
run -tcpeagersend 32K -n 1 sh -c 'echo $HAWSER_TCPEAGERSEND'; want "a tuning flag is the ranks' variable" 0 32K ""
HAWSER_TCPEAGERSEND=8K run -v -tcpmaxfrag 128K -n 1 true
same "-v shows the values in force" "$(grep -E 'TCPEAGERSEND|TCPMAXFRAG' "$TMP/err")" "mpirun: -tcpmaxfrag (HAWSER_TCPMAXFRAG) = 128K
mpirun: -tcpeagersend (HAWSER_TCPEAGERSEND) = 8K"
run --version; same "--version names the program and what it is compatible with" "$status $(grep -c -E 'Hawser|MPICH' "$TMP/out")" "0 2"
run -h; same "-h lists the flags" "$status $(grep -c -E -- '^  -(n|host|hostfile|tcpmaxfrag|timeout) ' "$TMP/out")" "0 5"
run --allow-run-as-root --oversubscribe --bind-to none --map-by slot --mca pml ob1 --mca btl tcp,self -np 1 echo hi
want "flags of other launchers are taken, --mca with one warning" 0 hi "mpirun: warning: these --mca parameters of Open MPI mean nothing here and are ignored: pml, btl"

# ---- another MPI's program
echo 'int f(void) { return 0; }' >"$TMP/f.c" && echo 'int f(void); int main(void) { return f(); }' >"$TMP/m.c"
${CC:-cc} -shared -fPIC -Wl,-soname,libmpi.so.40 -o "$TMP/libmpi.so.40" "$TMP/f.c" && ${CC:-cc} -o "$TMP/other" "$TMP/m.c" "$TMP/libmpi.so.40" -Wl,-rpath,"$TMP"
run -n 2 "$TMP/other"
want "a program of Open MPI's is warned of" 0 "" "mpirun: warning: '$TMP/other' is linked to libmpi.so.40, Open MPI's, so this will be 2 jobs of one rank each; build it with Hawser's mpicc, or start it with Open MPI's mpirun"
run -n 1 "$TMP/other"; want "but not of a single rank" 0 "" ""

# ---- programs in a file, output, the map, the rank that reads
cat >"$TMP/apps" <<'APPS'
# two programs
-n 1 echo 'one word' "a \"b\""   # a comment

-n 2 -x A=2 sh -c 'echo $A \
$PMI_RANK'
APPS
printf 'localhost sockets=2\n' >"$TMP/sockets"; echo "-configfile $TMP/circle" >"$TMP/circle"
run -configfile "$TMP/apps"; same "-configfile" "$status $(sort "$TMP/out" | tr '\n' ';')$err" '0 2 1;2 2;one word a "b";'
run -l --app "$TMP/apps" : -n 1 echo last; same "--app, more behind it, and flags before it" "$status $(sort "$TMP/out" | tr '\n' ';')$err" '0 [0] one word a "b";[1] 2 1;[2] 2 2;[3] last;'
echo 'for rank 1' >"$TMP/in"; "$MPIRUN" -stdin 1 -n 2 sh -c 'read -r x; echo "$PMI_RANK: $x"' <"$TMP/in" >"$TMP/out" 2>&1
same "-stdin N" "$(sort "$TMP/out" | tr '\n' ';')" "0: ;1: for rank 1;"
seq 1 600000 >"$TMP/all"; all_sum=$(md5sum <"$TMP/all" | tr -s ' ') # 4 MB: more than pipes and windows hold
"$MPIRUN" -stdin all -n 3 md5sum <"$TMP/all" >"$TMP/out" 2>&1; same "-stdin all" "$? $(sort "$TMP/out" | uniq -c | tr -s ' ')" "0  3 $all_sum"
# Rank 1 reads nothing before rank 0 has read all; rank 2 closes its input, and rank 3 ends at once.
timeout $LIMIT "$MPIRUN" -stdin all -n 4 sh -c 'case $PMI_RANK in 0) md5sum; echo >"$0";; 1) while [ ! -s "$0" ]; do sleep 0.05; done; md5sum;; 2) exec <&-; while [ ! -s "$0" ]; do sleep 0.05; done;; esac' "$TMP/read" <"$TMP/all" >"$TMP/out" 2>&1
same "-stdin all: who is slow, closes it or ends holds up nobody" "$? $(uniq -c "$TMP/out" | tr -s ' ')" "0  2 $all_sum"
(yes | timeout $LIMIT "$MPIRUN" -stdin all -n 2 head -c 1000000) 2>"$TMP/err" | md5sum >"$TMP/out"; same "-stdin all: input without end, when all have enough" "$(cat "$TMP/out" "$TMP/err")" "$(yes | head -c 2000000 | md5sum)"
run --output tag -q -n 1 echo x; want "--output tag, -quiet" 0 "[0] x" ""
run --display-map -n 3 true; want "--display-map" 0 "" "mpirun: host HOST: ranks 0-2"
run --display allocation -n 1 true; want "--display" 0 "" "mpirun: host HOST: rank 0"
printf 'localhost cpu=2\n' >"$TMP/cpu"; run --default-hostfile "$TMP/cpu" echo x; want "--default-hostfile, cpu=N" 0 $'x\nx' ""
printf 'localhost slots=1\n' >"$TMP/other"; run -hostfile "$TMP/other" --default-hostfile "$TMP/cpu" echo x; want "-hostfile before --default-hostfile" 0 x ""

# ---- which of mpirun's variables go along
export HWS_CLI_X=x HWS_CLI_Y=y HWS_CLI_PMIXY=z
# The variables that a program sees and that a shell does not make itself, but for Hawser's and the launcher's own.
seen=(env -u PWD -u SHLVL -u _)
own='^(HAWSER_|PMI_|MPI_LOCAL|OMPI_COMM_WORLD_)'
names() { grep -vE "$own" "$TMP/out" | sort | paste -sd,; }
run -genvnone -n 1 "${seen[@]}"; same "-genvnone" "$status $(names)" "0 "
same "-genvnone: what Hawser needs is there" "$(grep -cE '^(PMI_RANK=0|PMI_FD=|HAWSER_JOB=)' "$TMP/out")" 3
HAWSER_TCPEAGERSEND=8K run -genvnone -ni 1 -n 1 sh -c 'echo $HAWSER_TCPEAGERSEND $HAWSER_NI'; want "-genvnone: tuning goes along" 0 "8K 1" ""
run -genvnone -genv A 1 -x B=2 -x HWS_CLI_X -env C 3 -n 1 "${seen[@]}"; same "-genvnone: what flags set is there" "$status $(names)" "0 A=1,B=2,C=3,HWS_CLI_X=x"
run -genvlist HWS_CLI_X,HWS_CLI_NONE -n 1 "${seen[@]}"; same "-genvlist" "$status $(names)" "0 HWS_CLI_X=x"
run -genvlist HWS_CLI_X -n 1 "${seen[@]}" : -envlist HWS_CLI_Y -n 1 "${seen[@]}" : -envnone -n 1 "${seen[@]}"
same "-envlist and -envnone are for one program, -genvlist for the others" "$status $(names)" "0 HWS_CLI_X=x,HWS_CLI_Y=y"
run -genvnone -envall -n 1 "${seen[@]}"; same "-envall for one program" "$status $(grep -c '^HWS_CLI_' "$TMP/out")" "0 3"
run -genvnone -n 2 "$CLIENT" print; same "-genvnone: ranks find one another" "$status $(grep -c 'of 2, 2 on this host' "$TMP/out")" "0 2"
unset HWS_CLI_PMIXY HWS_CLI_Y; export HWS_CLI_X=from-here

# ---- the time before each line; what is now is between the time before and the time after
clock='^[A-Z][a-z][a-z] [A-Z][a-z][a-z] [ 123][0-9] [0-2][0-9]:[0-5][0-9]:[0-6][0-9] 20[0-9][0-9]'
untimed() { LC_ALL=C sed -E "s/$clock/TIME/" "$1" | sort | paste -sd,; }
before=$(date +%s); run --timestamp-output -n 2 sh -c 'echo "a
b"; printf e >&2'; after=$(date +%s)
same "--timestamp-output" "$status $(untimed "$TMP/out") $(untimed "$TMP/err")" "0 TIME<stdout>:a,TIME<stdout>:a,TIME<stdout>:b,TIME<stdout>:b TIME<stderr>:e,TIME<stderr>:e"
said=$(date -d "$(head -1 "$TMP/out" | sed 's/<.*//')" +%s); same "--timestamp-output is the time" "$((said >= before && said <= after))" 1
run --output timestamp,tag,file="$TMP/t1" -n 1 echo x; same "--output timestamp,tag" "$status $(untimed "$TMP/out") $(untimed "$TMP/t1.0.out")" "0 TIME[0] <stdout>:x TIME[0] <stdout>:x"

# ---- output into files
# Each file below a directory with its lines, which are sorted: NAME=line,line;
files() { (cd "$1" && find . -type f | LC_ALL=C sort | while read -r f; do echo "${f#./}=$(LC_ALL=C sort "$f" | paste -sd,)"; done | paste -sd';'); }
both='echo "out $PMI_RANK"; echo "err $PMI_RANK" >&2'
run -outfile-pattern "$TMP/f1/%h/%r.%g.%p.%%" -errfile-pattern "$TMP/f1/all" -n 2 sh -c "$both"
want "-outfile-pattern and -errfile-pattern: nothing is shown" 0 "" ""
same "-outfile-pattern: names" "$(files "$TMP/f1" | tr ";" "\n" | sort)" "$(printf "%s\n" "$HOST/0.0.0.%=out 0" "$HOST/1.0.0.%=out 1" "all=err 0,err 1" | sort)"
run -outfile-pattern "$TMP/f1/all" -l -n 1 sh -c "$both"; want "-outfile-pattern alone" 0 "" "[0] err 0"
same "a file that was there is emptied, tags go there too" "$(cat "$TMP/f1/all")" "[0] out 0"
run --output-filename "$TMP/f2" -n 11 sh -c "$both"
same "--output-filename: what goes into files is shown too" "$status $(wc -l <"$TMP/out") $(wc -l <"$TMP/err")" "0 11 11"
same "--output-filename: names" "$(files "$TMP/f2")" "$(for i in 00 01 02 03 04 05 06 07 08 09 10; do printf '1/rank.%s/stderr=err %d;1/rank.%s/stdout=out %d\n' $i $((10#$i)) $i $((10#$i)); done | paste -sd';')"
run --output-filename "$TMP/f3%r:nocopy:nojobid" -n 1 sh -c "$both"; want "--output-filename DIR:nocopy:nojobid" 0 "" ""
same "--output-filename: a name stands for itself" "$(files "$TMP/f3%r")" "rank.0/stderr=err 0;rank.0/stdout=out 0"
run --output "tag,file=$TMP/f4/o" -n 2 sh -c 'echo x'; same "--output file=NAME" "$(sort "$TMP/out" | paste -sd,) $(files "$TMP/f4")" "[0] x,[1] x o.0.err=;o.0.out=[0] x;o.1.err=;o.1.out=[1] x"
run --output "dir=$TMP/f5:NOCOPY" -n 1 sh -c 'printf x'; same "--output dir=DIR" "$out$err$(od -An -c "$TMP/f5/1/rank.0/stdout")" "   x"
(case $MPIRUN in /*) ;; *) MPIRUN=$PWD/$MPIRUN;; esac; cd "$TMP" && "$MPIRUN" -wdir / -outfile-pattern f6/here -n 1 pwd </dev/null); same "names begin in mpirun's directory" "$(cat "$TMP/f6/here")" /
run -outfile-pattern "$TMP/f7" -n 4 head -c 5000000 /dev/zero; same "much output in a file" "$status $(wc -c <"$TMP/f7")" "0 20000000"
run -outfile-pattern "$TMP/f1/all/%r" -n 2 sh -c "touch '$TMP/was-started'"
want "a file that cannot be made: its name and why" 1 "" "mpirun: cannot write '$TMP/f1/all/0': Not a directory"
run -errfile-pattern "$TMP" -n 2 sh -c "touch '$TMP/was-started'"; want "a file that is a directory" 1 "" "mpirun: cannot write '$TMP': Is a directory"
same "and no rank was started" "$(ls "$TMP" | grep -c was-started)" 0
run -outfile-pattern /dev/full -n 4 sh -c 'while echo x; do :; done'; want "a full disk is told once and ends the job" 1 "" "mpirun: cannot write '/dev/full': No space left on device"
run -outfile-pattern "$TMP/f8" -n 1 sh -c 'echo last words; kill -9 $$'
same "what a rank wrote before it died is in the file" "$status $(cat "$TMP/f8")" "137 last words"
"$MPIRUN" --output-filename "$TMP/f9" -n 1 head -c 20000000 /dev/zero </dev/null 2>"$TMP/err" | true
same "a reader that leaves does not end the files" "$(wc -c <"$TMP/f9/1/rank.0/stdout") $(cat "$TMP/err")" "20000000 "

# ---- bad input: one line, status 2 (usage), 126 or 127
usage() { local name=$1 text=$2; shift 2; run "$@"; want "$name" 2 "" "mpirun: $text"; }
usage "no program" "no program given (mpirun -h shows how)" -n 2
usage "unknown flag" "unknown flag '--frobnicate' (mpirun -h lists the flags)" --frobnicate true
usage "a flag that is nearly one" "unknown flag '-tcpeagersned'; is -tcpeagersend meant? (mpirun -h lists the flags)" -tcpeagersned 1 true
usage "a mapping that cannot be" "-map-by: 'socket' cannot be done: ranks are counted by hosts only; use ppr:N:node and -bind-to" --map-by ppr:1:socket true
usage "a flag that cannot be" "flag '-rankfile' cannot be done: name hosts in the ranks' order by -hostfile, one line a rank" -rankfile f true
usage "more than ppr allows" "-map-by ppr:1:node has a place for 1 of the 2 ranks that are asked for" --map-by ppr:1:node -n 2 true
usage "refused attribute of a host" "$TMP/sockets:1: 'sockets=2': give slots=N, as many as ranks shall run there" -hostfile "$TMP/sockets" true
usage "-genvlist with what is no name" "-genvlist: '1A' is not the name of a variable" -genvlist HWS_CLI_X,1A true
usage "-gdba" "flag '-gdba' cannot be done: attach a debugger by gdb -p PID; ps shows the ranks below mpirun" -gdba 3 true
usage "-stdin of neither" "-stdin: 'both' is neither a rank nor all nor none; rank 0 reads it if nothing is said" -stdin both true
usage "-stdin of no rank" "-stdin: there is no rank 2 among the 2 of the job" -stdin 2 -n 2 true
usage "a launcher that is none here" "-launcher: 'lsf' is not known here: there are ssh, rsh and slurm, and any other command by -rsh COMMAND" -launcher lsf true
usage "-rmk without an allocation" "-rmk: no allocation of 'slurm' is to be seen in the environment; name the hosts by -host or -hostfile" -rmk slurm true
usage "-display of what there is not" "-display: 'topo' cannot be done: there are map, allocation and bind" --display map,topo true
usage "-output of what there is not" "-output: 'xml' cannot be done: there are tag, timestamp, file=NAME and dir=DIR" --output tag,xml true
usage "a letter that names no part of a file's name" "-outfile-pattern: '%z' in 'o.%z' is not known: there are %r (rank), %g, %p (number of the host), %h (its name) and %%" -outfile-pattern o.%z true
usage "-prefix that is relative" "-prefix: 'here' is not an absolute path" --prefix here true
usage "-configfile that is not there" "-configfile '$TMP/none': No such file or directory" -configfile "$TMP/none"
usage "-configfile in a circle" "-configfile '$TMP/circle': files name one another" -configfile "$TMP/circle"
usage "-configfile and a program" "the program stands in the file, 'true' stands behind it" -configfile "$TMP/apps" true
usage "-n 0" "-n: '0' is not a number of ranks from 1 to 1000000" -n 0 true
usage "-n x" "-n: 'x' is not a number of ranks from 1 to 1000000" -n x true
usage "malformed size" "-tcpmaxfrag (HAWSER_TCPMAXFRAG): '64Q' is not a size from 4K to 1G" -tcpmaxfrag 64Q true
HAWSER_TCPMAXFRAG=1 usage "malformed variable" "-tcpmaxfrag (HAWSER_TCPMAXFRAG): '1' is not a size from 4K to 1G" true
printf 'a slots=2\nb slots=many\n' >"$TMP/hosts"
usage "malformed hostfile" "$TMP/hosts:2: 'slots=many': slots are not a number from 1 to 1000000" -hostfile "$TMP/hosts" true
usage "missing hostfile" "hostfile '$TMP/none': No such file or directory" -hostfile "$TMP/none" true
: >"$TMP/empty"; usage "empty hostfile" "hostfile '$TMP/empty' names no host" -hostfile "$TMP/empty" true
usage "malformed host list" "-host 'a:x': 'a:x': slots are not a number from 1 to 1000000" -host a:x true
run ./no-such-program; want "program not found" 127 "" "mpirun: cannot run './no-such-program' on host HOST: no such program"
run /etc/passwd; want "program not executable" 126 "" "mpirun: cannot run '/etc/passwd' on host HOST: Permission denied"
run -wdir /no/such/dir true; want "no such working directory" 1 "" "mpirun: cannot change to directory '/no/such/dir' on host HOST: No such file or directory"

# ---- binding
cores=$(lscpu -b -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l)
if run -v -bind-to core -n 1 true; grep -q 'built without hwloc' "$TMP/err"; then
    skip "-bind-to" "built without hwloc"
else
    run -bind-to core -n 1 sh -c 'exec grep Cpus_allowed_list /proc/self/status'; one=$(cat "$TMP/out")
    if [ "$cores" -ge 2 ] && [ "$(nproc)" -ge 2 ]; then
        run -bind-to core -n 2 sh -c 'exec grep Cpus_allowed_list /proc/self/status'
        same "-bind-to core: ranks have different processors" "$status $(sort -u "$TMP/out" | wc -l) $(grep -cxF "$one" "$TMP/out")" "0 2 1"
    else
        skip "-bind-to core: ranks have different processors" "one core"
    fi
    run -v -bind-to core -n 1 true; same "-v says who is bound where" "$(grep -cE '^mpirun: rank 0 on host .* is bound to core [0-9]+$' "$TMP/err")" 1
    all=$(grep Cpus_allowed_list /proc/self/status)
    run -v -bind-to core -n $((cores + 1)) sh -c 'exec grep Cpus_allowed_list /proc/self/status'
    same "nobody is bound where there are more ranks than cores" "$status $(sort -u "$TMP/out") $(grep -c 'are not bound: more ranks than cores' "$TMP/err")" "0 $all 1"
    run --report-bindings -n 2 true; same "--report-bindings says that nobody is bound, too" "$status $(grep -c '^mpirun: ranks on host .* are not bound: -bind-to is none$' "$TMP/err")" "0 1"
fi
CPUSET=/sys/fs/cgroup/cpuset/hawser.$$
make_cpuset() { mkdir "$CPUSET" && echo 0 >"$CPUSET/cpuset.mems" && echo 1 >"$CPUSET/cpuset.cpus"; }
if [ "$cores" -ge 2 ] && taskset -c 1 true 2>/dev/null && make_cpuset 2>/dev/null &&
    (echo "$BASHPID" >"$CPUSET/cgroup.procs") 2>/dev/null; then
    want=$(timeout $LIMIT taskset -c 1 "$MPIRUN" -v -bind-to core -n 1 true 2>&1 | grep 'is bound to core')
    (echo "$BASHPID" >"$CPUSET/cgroup.procs" || exit; exec timeout $LIMIT "$MPIRUN" -v -bind-to core -n 1 true) >"$TMP/err" 2>&1
    if [ -n "$want" ]; then
        same "a cpuset does not give cores other numbers" "$(grep 'is bound to core' "$TMP/err")" "$want"
    else
        not_ok "a cpuset does not give cores other numbers" "nobody is bound by taskset"
    fi
    until_true 'rmdir "$CPUSET" 2>/dev/null'
else
    skip "a cpuset does not give cores other numbers" "one core, or no cpuset can be made"
fi
usage "-bind-to something else" "-bind-to (HAWSER_BIND_TO): 'left' is neither core, socket nor none" -bind-to left true

# ---- ends of ranks
run -n 3 "$CLIENT"; want "a job that ends well" 0 "" ""
run -n 3 "$CLIENT" long=300000; want "values longer than a line buffer" 0 "" ""
run -n 3 "$CLIENT" exit=3@1; want "exit status of a rank" 3 "" "mpirun: rank 1 on host HOST (pid P) exited with status 3"
run -n 3 "$CLIENT" abort=7@1; want "abort" 7 "" "mpirun: rank 1 on host HOST (pid P) ended the job with code 7: asked to abort"
run -n 3 "$CLIENT" abort=0@1; want "abort with code 0 is still a failure" 1 "" "mpirun: rank 1 on host HOST (pid P) ended the job with code 0: asked to abort"
run -n 3 "$CLIENT" kill=9@2; want "killed rank" 137 "" "mpirun: rank 2 on host HOST (pid P) was killed by signal 9 (SIGKILL)"
(ulimit -c 0; run -n 3 "$CLIENT" kill=11@0; echo "$status $err" >"$TMP/segv")
same "crashed rank" "$(cat "$TMP/segv")" "139 mpirun: rank 0 on host HOST (pid P) was killed by signal 11 (SIGSEGV)"
run -n 3 "$CLIENT" early=0@0; want "exit without MPI_Finalize" 1 "" "mpirun: rank 0 on host HOST (pid P) exited with status 0 without calling MPI_Finalize"
run -n 3 sh -c '[ $PMI_RANK = 1 ] || exec "$0"' "$CLIENT"; want "exit without MPI_Init, for which others wait" 1 "" "mpirun: rank 1 on host HOST (pid P) ended without calling MPI_Init, in which other ranks wait for it"
run -n 1 sh -c 'sleep 0.3' : -n 2 "$CLIENT"; want "the same, after the others began to wait" 1 "" "mpirun: rank 0 on host HOST (pid P) ended without calling MPI_Init, in which other ranks wait for it"
run -n 3 sh -c '[ $PMI_RANK = 1 ] && exit 4; exec "$0"' "$CLIENT"; want "a status tells more" 4 "" "mpirun: rank 1 on host HOST (pid P) exited with status 4"
run -n 2 sh -c 'exit 5'; same "a command's exit status" "$status $(wc -l <"$TMP/err")" "5 1"
export HWS_CLI_MARK=end.$$
run -n 4 "$CLIENT" hang=0 kill=9@2
want "ranks that ignore SIGTERM are killed" 137 "" "mpirun: rank 2 on host HOST (pid P) was killed by signal 9 (SIGKILL)"
same "and nothing is left" "$(unset HWS_CLI_MARK; gone "end.$$")" 0
run -n 2 sh -c '(setsid sleep 300 &) ; sleep 300 & if [ $PMI_RANK = 1 ]; then sleep 0.3; exit 4; fi; sleep 300'
want "a rank with children of its own fails" 4 "" "mpirun: rank 1 on host HOST (pid P) exited with status 4"
same "and its children are gone too" "$(unset HWS_CLI_MARK; gone "end.$$")" 0
run -n 2 sh -c '(setsid sleep 300 >/dev/null 2>&1 &); (env -i HWS_CLI_MARK="$HWS_CLI_MARK" setsid sleep 300 >/dev/null 2>&1 &)'
want "ranks that end well leave something in a session of its own" 0 "" ""
same "which ends with the job" "$(unset HWS_CLI_MARK; marked "end.$$")" 0
sh -c 'sleep 300 & exec "$@"' sh env "$MPIRUN" -n 1 sh -c 'setsid sleep 300 >/dev/null 2>&1 &'
same "what a shell had begun before it became mpirun stays" "$(unset HWS_CLI_MARK; marked "end.$$")" 1
kill $(HWS_CLI_MARK= grep -lsa "HWS_CLI_MARK=end.$$" /proc/[0-9]*/environ | cut -d/ -f3 | grep -vx -e $$ -e "$BASHPID") 2>/dev/null
unset HWS_CLI_MARK
run -timeout 0.5 -n 2 sleep 300; want "-timeout" 124 "" "mpirun: the job did not end within 0.5 seconds"
MPIEXEC_TIMEOUT=1 run -n 2 sleep 300; want "MPIEXEC_TIMEOUT" 124 "" "mpirun: the job did not end within 1 seconds"

# ---- output that cannot be written
full() {
    timeout $LIMIT "$MPIRUN" "${@:2}" 2>"$TMP/err" >/dev/full </dev/null
    same "$1" "$? $(cat "$TMP/err")" "1 mpirun: cannot write standard output: No space left on device"
}
full "a full disk, in one line" -n 2 yes
full "a full disk, and ranks that end by themselves" -n 2 echo hi

# ---- input
head -c 100000000 /dev/urandom >"$TMP/random"
sum=$(md5sum <"$TMP/random")
same "100 MB of input from a file reach rank 0" "$("$MPIRUN" -n 2 md5sum <"$TMP/random" | sort)" "$(printf '%s\n%s\n' "$sum" "$(md5sum </dev/null)" | sort)"
same "100 MB of input from a pipe pass through" "$(cat "$TMP/random" | "$MPIRUN" -n 1 cat | md5sum)" "$sum"
same "the rest of the input stays for others" "$(printf 'a\nb\n' | (for _ in 1 2; do "$MPIRUN" -stdin none -n 1 echo x; read -r l; echo "$l"; done))" $'x\na\nx\nb'
same "a rank that reads no input ends the job all the same" "$(yes | timeout $LIMIT "$MPIRUN" -n 1 true; echo $?)" 0
if command -v script >/dev/null && command -v setsid >/dev/null; then
    cat >"$TMP/bg.sh" <<EOF
set -m
"$MPIRUN" -n 1 sh -c 'sleep 0.5; echo ran' & wait \$!; echo status \$?
EOF
    same "in the background of a terminal it is not stopped" "$(timeout $LIMIT script -qec "bash -i $TMP/bg.sh" /dev/null </dev/null 2>/dev/null | tr -d '\r' | grep -E '^(ran|status)')" $'ran\nstatus 0'
    mkfifo "$TMP/keys"
    timeout $LIMIT script -qec "'$MPIRUN' -n 1 sh -c 'printf question; read -r a; echo answer \$a'" /dev/null <"$TMP/keys" >"$TMP/tty" 2>/dev/null & pid=$!
    exec 9>"$TMP/keys"
    until_true 'grep -q question "$TMP/tty"' && echo 42 >&9
    wait $pid; exec 9>&-
    same "a question without a newline is shown on a terminal" "$(tr -d '\r' <"$TMP/tty" | tr '\n' ' ' | grep -o 'question.*answer 42')" "question42 answer 42"
else
    skip "in the background of a terminal it is not stopped" "no script(1)"
fi

# ---- signals
cat >"$TMP/trap.sh" <<'EOF'
exec 2>/dev/null # the shell would tell of its own children
for s in INT TERM USR1 USR2; do trap "echo got $s; exit 0" $s; done
echo ready
while :; do sleep 0.05; done
EOF
# The lines that are waited for must not be those of the run before: $TMP/out goes first.
for s in INT TERM USR1 USR2; do
    # a shell makes background jobs ignore SIGINT; env gives it back
    rm -f "$TMP/out"
    env --default-signal=INT "$MPIRUN" -n 2 bash "$TMP/trap.sh" >"$TMP/out" 2>"$TMP/err" </dev/null & pid=$!
    until_true '[ "$(grep -c ready "$TMP/out")" = 2 ]'
    kill -$s $pid; wait $pid; status=$?
    same "SIG$s reaches the ranks" "$status $(grep -c "got $s" "$TMP/out") $(cat "$TMP/err")" "0 2 "
done
rm -f "$TMP/out"
env --default-signal=INT "$MPIRUN" -n 2 sh -c 'echo ready; exec sleep 300' >"$TMP/out" 2>"$TMP/err" </dev/null & pid=$!
until_true '[ "$(grep -c ready "$TMP/out")" = 2 ]'; kill -INT $pid; wait $pid
same "ranks that die of the forwarded SIGINT" "$? $(cat "$TMP/err")" "130 "
rm -f "$TMP/out"
env --default-signal=INT "$MPIRUN" -n 2 bash -c 'trap "echo not yet" INT; trap "" TERM; echo ready; while :; do sleep 0.1; done' >"$TMP/out" 2>"$TMP/err" </dev/null & pid=$!
until_true '[ "$(grep -c ready "$TMP/out")" = 2 ]'; kill -INT $pid
until_true '[ "$(grep -c "not yet" "$TMP/out")" = 2 ]'; kill -INT $pid; wait $pid
same "a second SIGINT kills" "$? $(cat "$TMP/err")" "130 mpirun: interrupted twice: all ranks are killed"
rm -f "$TMP/out"
"$MPIRUN" -n 1 bash -c 'trap "echo go on; exit 0" CONT; echo ready; while :; do sleep 0.05; done' >"$TMP/out" 2>&1 </dev/null & pid=$!
until_true 'grep -q ready "$TMP/out"'; kill -TSTP $pid
until_true '[ "$(cut -d" " -f3 /proc/$pid/stat)" = T ]'; stopped=$?
kill -CONT $pid; wait $pid
same "SIGTSTP stops mpirun, SIGCONT reaches the ranks" "$stopped $? $(grep -c 'go on' "$TMP/out")" "0 0 1"

# ---- SIGKILL of mpirun
killed() { # NAME ARGUMENTS...: starts mpirun, kills it, and looks who is left
    local name=$1 mark=kill.$RANDOM.$$; shift
    rm -f "$TMP/out"
    HWS_CLI_MARK=$mark "$MPIRUN" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null & local pid=$!
    until_true '[ "$(grep -c ready "$TMP/out")" = 2 ]'
    local before; before=$(marked "$mark")
    kill -KILL $pid; wait $pid 2>/dev/null
    if [ "$before" -ge 4 ] && until_true "[ \$(marked $mark) = 0 ]"; then ok "$name"
    else not_ok "$name" "before: $before processes, left: $(marked "$mark")" "$(cat "$TMP/err")"; fi
}
killed "SIGKILL of mpirun leaves nothing" -n 2 sh -c 'sleep 300 & (setsid sleep 300 &); echo ready; sleep 300'
rm -f "$TMP/out"
"$MPIRUN" -n 2 "$CLIENT" die print >"$TMP/out" 2>"$TMP/err" </dev/null & pid=$!
until_true '[ "$(grep -c rank "$TMP/out")" = 2 ]'; kill -KILL $pid; wait $pid 2>/dev/null
if until_true '[ "$(pgrep -fc "^$CLIENT die print")" = 0 ]'; then ok "ranks that wait for messages end with mpirun"; else not_ok "ranks that wait for messages end with mpirun"; fi

# ---- other hosts, by a remote shell that stays here
cat >"$TMP/rsh" <<'EOF'
#!/bin/bash
# as rsh: HOST COMMAND...; the host is a host name space of its own
host=$1; shift
exec unshare --uts sh -c 'hostname "$0"; exec "$@"' "$host" "$@"
EOF
cat >"$TMP/rsh-noisy" <<EOF
#!/bin/bash
echo "Welcome to \$1"; echo "motd" >&2
exec "$TMP/rsh" "\$@"
EOF
cat >"$TMP/rsh-fails" <<'EOF'
#!/bin/bash
echo "Warning: something" >&2
echo "connect to host $1 port 22: No route to host" >&2
exit 255
EOF
cat >"$TMP/rsh-later" <<EOF
#!/bin/bash
if [ ! -e "$TMP/tried" ]; then : >"$TMP/tried"; exit 255; fi
exec "$TMP/rsh" "\$@"
EOF
# as Slurm's: the host by a flag, and output in whole lines unless told otherwise
cat >"$TMP/srun" <<EOF
#!/bin/bash
by_lines=1
while true; do
    case \$1 in
    -w) host=\$2; shift 2; break;;
    --unbuffered) by_lines=;;
    --*) ;;
    *) echo "srun: no host" >&2; exit 1;;
    esac
    shift
done
[ "\$SLURM_OVERLAP" = 1 ] || { echo "srun: Requested nodes are busy" >&2; exit 1; }
[ -z "\$by_lines" ] || exec > >(sed -u '')
exec "$TMP/rsh" "\$host" "\$@"
EOF
chmod +x "$TMP"/rsh* "$TMP/srun"
run -rsh "$TMP/rsh-fails" -n 2 -host far1:2 true
want "host that cannot be reached" 1 "" "mpirun: cannot reach host far1 with '$TMP/rsh-fails': connect to host far1 port 22: No route to host (it exited with status 255)"
run -rsh ./no-rsh -host far1 true; want "no such remote shell in this directory" 1 "" "mpirun: cannot reach host far1: cannot run './no-rsh': No such file or directory"
SLURM_JOB_ID=1 run -rsh "$TMP/no-rsh" -host far1 true; want "no such remote shell in an allocation of Slurm" 1 "" "mpirun: cannot reach host far1: cannot run '$TMP/no-rsh': No such file or directory; in a Slurm allocation -rsh srun reaches the hosts"
SLURM_JOB_ID=1 run -rsh "$TMP/rsh-fails" -host far1 true; want "a host of Slurm's that cannot be reached" 1 "" "mpirun: cannot reach host far1 with '$TMP/rsh-fails': connect to host far1 port 22: No route to host (it exited with status 255); in a Slurm allocation -rsh srun reaches the hosts"
printf '#!/bin/sh\nPATH=/no/such exec "%s" "$@"\n' "$(realpath "$MPIRUN")" >"$TMP/no-path" && chmod +x "$TMP/no-path"
# Other batch systems than Slurm have no way to which mpirun turns by itself: the line says how to name one.
for v in "PBS_NODEFILE in a PBS allocation -rsh AGENT names a way to the hosts other than ssh, called as AGENT HOST COMMAND" "PE_HOSTFILE in an allocation of Grid Engine try -rsh 'qrsh -inherit'" \
    "LSB_JOBID in an allocation of LSF try -rsh blaunch" "OAR_JOB_ID in an allocation of OAR try -rsh oarsh"; do
    ln -sf "$TMP/rsh-fails" "$TMP/ssh"
    (export "${v%% *}=$TMP/rsh-fails"; unset HAWSER_RSH; PATH="$TMP:$PATH" run -host far1 true; echo "$status $err" >"$TMP/advice")
    same "${v%% *}: a host that cannot be reached" "$(sed 's/.*status 255)/.. /' "$TMP/advice")" ".. ; ${v#* }"
    (export "${v%% *}=$TMP/rsh-fails"; unset HAWSER_RSH; MPIRUN=$TMP/no-path run -host far1 true; echo "$status $err" >"$TMP/advice")
    same "${v%% *}: no ssh" "$(sed 's/.*directory/.. /' "$TMP/advice")" ".. ; ${v#* }"
    rm -f "$TMP/ssh"
done
PBS_NODEFILE=/no/such run -rsh "$TMP/no-rsh" -host far1 true; want "a way that was named in a PBS allocation" 1 "" "mpirun: cannot reach host far1: cannot run '$TMP/no-rsh': No such file or directory"
PATH="$TMP:$PATH" run -launcher slurm -host far1 true; same "-launcher slurm takes srun" "$status $(grep -c 'Requested nodes\|srun' "$TMP/err")" "0 0"
run -rsh "$TMP/rsh" -prefix /no/such -host far1 true; same "Hawser is not there" "$status $(grep -c "^mpirun: cannot reach host far1 with '$TMP/rsh': Hawser has to be there at /no/such/bin/mpirun, or say where by -prefix DIR (.*/no/such/bin/mpirun.*)$" "$TMP/err")" "1 1"
mkdir -p "$TMP/there/bin" && printf '#!/bin/sh\n: >"%s/was-there"\nexec "%s" "$@"\n' "$TMP" "$(realpath "$MPIRUN")" >"$TMP/there/bin/mpirun" && chmod +x "$TMP/there/bin/mpirun"
run -rsh "$TMP/rsh" -prefix "$TMP/there" -host far1 echo x; same "-prefix" "$status $(cat "$TMP/out") $(ls "$TMP" | grep -c was-there)" "0 x 1"
run -rsh "$TMP/no-rsh" -host far1 true; want "no such remote shell" 1 "" "mpirun: cannot reach host far1: cannot run '$TMP/no-rsh': No such file or directory"
run -rsh "true" -host far1 true; want "remote shell that does nothing" 1 "" "mpirun: cannot reach host far1 with 'true': it exited with status 0"
if unshare --uts true 2>/dev/null; then
    HWS_CLI_Y=y run -rsh "$TMP/rsh" -envlist HWS_CLI_Y -n 2 -host far1,far2 "${seen[@]}"
    same "-envlist with ranks on other hosts" "$status $(names)" "0 HWS_CLI_Y=y,HWS_CLI_Y=y"
    run -rsh "$TMP/rsh" -outfile-pattern "$TMP/far/%p.%h" -n 4 -host far1:2,far2:1,localhost:1 sh -c 'echo $PMI_RANK'
    same "-outfile-pattern with ranks on several hosts" "$status $out$err$(files "$TMP/far")" "0 0.far1=0,1;1.far2=2;2.$HOST=3"
    run -rsh "$TMP/rsh" -n 4 -host far1:2,far2:1,localhost:1 hostname
    same "ranks on several hosts, by slots" "$status $(sort "$TMP/out" | tr '\n' ' ')$err" "0 $(printf '%s\n' far1 far1 far2 "$HOST" | sort | tr '\n' ' ')"
    (case $MPIRUN in /*) ;; *) MPIRUN=$PWD/$MPIRUN;; esac; cd "$TMP" && run -rsh ./rsh -n 1 -host far1 hostname; echo "$status $out$err" >"$TMP/near")
    same "a remote shell in the directory where mpirun was started" "$(cat "$TMP/near")" "0 far1"
    export HWS_CLI_MARK=far.$$
    run -rsh "$TMP/rsh" -n 2 -host far1,localhost sh -c '(setsid sleep 300 >/dev/null 2>&1 &)'
    same "a session of its own ends with the job, on all hosts" "$status $err$(unset HWS_CLI_MARK; gone far.$$)" "0 0"
    unset HWS_CLI_MARK
    out=$(timeout $LIMIT "$MPIRUN" -stdin all -rsh "$TMP/rsh" -n 5 -host far1:2,far2:2,localhost md5sum <"$TMP/all" 2>&1 | uniq -c | tr -s ' ')
    same "-stdin all on three hosts" "$out" " 5 $all_sum"
    run -rsh "$TMP/rsh-noisy" -n 6 -host far1:2,far2:2 -tag-output "$CLIENT" print long=100000
    same "exchange between hosts, behind a noisy login" "$status $(sort "$TMP/out" | tr '\n' '|')$err" "0 $(for i in 0 1 2 3 4 5; do n=2; case $i in 0|1|4|5) n=4;; esac; printf '[%d] rank %d of 6, %d on this host, app 0, universe 6, launcher 1|' $i $i $n; done)"
    run -rsh "$TMP/rsh" -n 6 -host far1:2,far2:2,localhost:2 -cardspush 0 -tag-output "$CLIENT" print long=100000
    same "hosts ask for what others have put" "$status $(wc -l <"$TMP/out")$err" "0 6"
    run -rsh "$TMP/rsh" -n 2 -host far1,far2 sh -c 'pwd; echo $HWS_CLI_X'
    same "directory and environment go along" "$status $(sort -u "$TMP/out" | tr '\n' ' ')" "0 $(printf '%s\n' "$PWD" from-here | sort | tr '\n' ' ')"
    same "input and output of a far rank" "$("$MPIRUN" -rsh "$TMP/rsh" -host far1 cat <"$TMP/random" | md5sum)" "$sum"
    run -timeout $LIMIT -rsh "$TMP/srun" -n 3 -host far1:2,far2 "$CLIENT" print long=1000
    same "srun as the remote shell" "$status $(wc -l <"$TMP/out")$err" "0 3"
    run -rsh "$TMP/rsh" -n 240 -host far1:1,far2:2 "$CLIENT" map
    same "a map of hosts of more than 1024 bytes" "$status $(sed -E 's/^rank [0-9]+: (2 hosts),( [0-9]+)* here$/\1/' "$TMP/out" | sort | uniq -c) $(grep -c 'rank 3: 2 hosts, 0 3 6 .* 237 here' "$TMP/out")" "0     240 2 hosts 1"
    run -rsh "$TMP/rsh" -n 3 -host far1:2,far2 "$CLIENT" kill=9@2; want "killed rank on another host" 137 "" "mpirun: rank 2 on host far2 (pid P) was killed by signal 9 (SIGKILL)"
    run -rsh "$TMP/rsh" -n 3 -host far1:2,far2 sh -c '[ $PMI_RANK = 2 ] || exec "$0"' "$CLIENT"; want "a rank on another host without MPI_Init" 1 "" "mpirun: rank 2 on host far2 (pid P) ended without calling MPI_Init, in which other ranks wait for it"
    run -rsh "$TMP/rsh" -n 3 -host far1:2,far2 "$CLIENT" hang=0 abort=7@2; want "abort on another host" 7 "" "mpirun: rank 2 on host far2 (pid P) ended the job with code 7: asked to abort"
    run -rsh "$TMP/rsh" -n 2 -host far1:2 no-such-program; want "program missing on another host" 127 "" "mpirun: cannot run 'no-such-program' on host far1: no such program"
    killed "SIGKILL of mpirun leaves nothing on other hosts" -rsh "$TMP/rsh" -host far1,far2 sh -c 'sleep 300 & (setsid sleep 300 &); echo ready; sleep 300'
    run -rsh "$TMP/rsh-later" -wait-hosts $LIMIT -host far1 hostname; want "-wait-hosts tries again" 0 far1 ""
    rm -f "$TMP/tried"
    SLURM_JOB_NODELIST='far[1-2],far9' SLURM_TASKS_PER_NODE='2(x2),1' run -rsh "$TMP/rsh" hostname
    same "hosts of a Slurm allocation" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far1 far2 far2 far9 "
    printf 'far1\nfar1\nfar2\n' >"$TMP/nodes"; PBS_NODEFILE=$TMP/nodes run -rsh "$TMP/rsh" hostname
    same "hosts of a PBS allocation" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far1 far2 "
    for name in OAR_NODEFILE COBALT_NODEFILE LSB_DJOB_HOSTFILE; do
        declare -x "$name=$TMP/nodes"; run -rsh "$TMP/rsh" hostname; unset $name
        same "hosts in $name" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far1 far2 "
    done
    LSB_MCPU_HOSTS='far1 2 far2 1' run -rsh "$TMP/rsh" hostname
    same "hosts in LSB_MCPU_HOSTS" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far1 far2 "
    LSB_HOSTS='far1 far2 far1' run -rsh "$TMP/rsh" hostname
    same "hosts in LSB_HOSTS" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far1 far2 "
    printf 'far1 2 all.q@far1 UNDEFINED\nfar2 1 all.q@far2 UNDEFINED\n' >"$TMP/pe"; PE_HOSTFILE=$TMP/pe run -rsh "$TMP/rsh" hostname
    same "hosts in PE_HOSTFILE" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far1 far2 "
    LSB_MCPU_HOSTS='far1 two' run -rsh "$TMP/rsh" hostname; want "a bad LSB_MCPU_HOSTS" 2 "" "mpirun: LSB_MCPU_HOSTS: 'far1 two' is not a host and its slots"
    printf 'far1 all.q\n' >"$TMP/pe"; PE_HOSTFILE=$TMP/pe run -rsh "$TMP/rsh" hostname; want "a bad PE_HOSTFILE" 2 "" "mpirun: PE_HOSTFILE: '$TMP/pe': 'far1 all.q' is not a host and its slots"
    run -rsh "$TMP/rsh" -host far1:4,far2:4 --map-by ppr:1:node hostname
    same "-map-by ppr:1:node" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far2 "
    run -rsh "$TMP/rsh" -host far1:2,far2:1 --map-by node -tag-output hostname
    same "-map-by node" "$status $(sort "$TMP/out" | tr '\n' ';')" "0 [0] far1;[1] far2;[2] far1;"
    printf 'far1 slots=1\nfar2:2 # both ways\n' >"$TMP/nodes"
    OMPI_MCA_orte_default_hostfile=$TMP/nodes OMPI_MCA_plm_rsh_agent=$TMP/rsh run hostname
    same "hosts and remote shell of an orchestrator made for Open MPI" "$status $(sort "$TMP/out" | tr '\n' ' ')" "0 far1 far2 far2 "
    hosts=$(seq -s, -f 'far%g' 1 40); run -rsh "$TMP/rsh" -host "$hosts" hostname
    same "40 hosts" "$status $(sort -u "$TMP/out" | wc -l)" "0 40"
else
    skip "jobs on other hosts" "no right to make a host name space"
fi

# ---- many ranks
run -n 256 "$CLIENT"; want "256 ranks" 0 "" ""
(ulimit -Sn 256; run -n 100 sh -c 'ulimit -Sn'; echo "$status $(sort -u "$TMP/out")" >"$TMP/limit")
same "more descriptors than the soft limit, which the ranks keep" "$(cat "$TMP/limit")" "0 256"
(ulimit -n 100; run -n 100 true; echo "$status $err" >"$TMP/limit")
same "more ranks than the hard limit of descriptors allows" "$(cat "$TMP/limit")" "1 mpirun: 100 ranks on host HOST need 138 descriptors, but the limit is 100 (ulimit -Hn)"
printf '%s\n' 'echo "out $PMI_RANK"' 'echo "err $PMI_RANK" >&2' '[ "$PMI_RANK" != 7 ] || head -c 300000 /dev/zero | tr "\0" x' >"$TMP/talk"
(ulimit -n 200; run -n 100 sh "$TMP/talk"; echo "$status $(grep -o "out [0-9]*" "$TMP/out" | sort -u | wc -l) $(tr -cd x <"$TMP/out" | wc -c) $(printf '%s\n' "$err" | grep -c '^err [0-9]*$')" >"$TMP/limit")
same "carriers have the output of 100 ranks that have 200 descriptors" "$(cat "$TMP/limit")" "0 100 300000 100"
(ulimit -n 200; run -n 100 sh -c 'echo "last word of $PMI_RANK" >&2; exit $((PMI_RANK == 50 ? 3 : 0))'; echo "$status $(printf '%s\n' "$err" | grep -e "word of 50$" -e "exited" | tr '\n' ';')" >"$TMP/limit")
same "last words are carried before the news of an end" "$(cat "$TMP/limit")" "3 last word of 50;mpirun: rank 50 on host HOST (pid P) exited with status 3;"
(ulimit -n 200; run -n 100 "$CLIENT"; echo "$status" >"$TMP/limit")
same "100 ranks meet while carriers have their output" "$(cat "$TMP/limit")" 0

# ---- without mpirun, and with other launchers
single() { local name=$1 want=$2; shift 2; same "$name" "$(env "$@" 2>&1; echo "$?")" "$want"; }
single "a process that nobody started is a singleton" $'rank 0 of 1, 1 on this host, app -1, universe -1, launcher 0\n0' "$CLIENT" print
single "one of several srun tasks without PMI is refused" $'pmi_client: started by srun (SLURM_STEP_NUM_TASKS=4) but without PMI, so the processes do not know each other: use \'srun --mpi=pmix\', \'srun --mpi=pmi2\' or Hawser\'s mpirun, or set HAWSER_SINGLETON_OK=1 to run each alone\n90' SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 "$CLIENT"
single "one of several under Open MPI's mpirun is refused" $'pmi_client: started by Open MPI\'s mpirun (OMPI_COMM_WORLD_SIZE=2) but without PMI, so the processes do not know each other: use Hawser\'s mpirun, or set HAWSER_SINGLETON_OK=1 to run each alone\n90' OMPI_COMM_WORLD_SIZE=2 "$CLIENT"
single "HAWSER_SINGLETON_OK=1 allows it" 0 SLURM_STEP_NUM_TASKS=4 HAWSER_SINGLETON_OK=1 "$CLIENT"
single "a lost PMI descriptor is refused" $'pmi_client: the launcher\'s descriptor PMI_FD=77 is not open: a program between the launcher and this one closed it; set HAWSER_SINGLETON_OK=1 to run without the launcher\n90' PMI_FD=77 PMI_RANK=0 PMI_SIZE=2 "$CLIENT"
if command -v mpiexec.hydra >/dev/null; then
    out=$(timeout $LIMIT mpiexec.hydra -n 3 "$CLIENT" print </dev/null 2>&1 | sort)
    same "Hydra's mpiexec starts the client" "$out" "$(for i in 0 1 2; do echo "rank $i of 3, 3 on this host, app 0, universe -1, launcher 2"; done)"
    out=$(timeout $LIMIT mpiexec.hydra -n 3 "$CLIENT" long=5000 </dev/null 2>&1; echo $?); same "values longer than Hydra's limit" "$out" 0
    timeout $LIMIT mpiexec.hydra -n 3 "$CLIENT" abort=7@1 </dev/null >/dev/null 2>&1; same "abort under Hydra" $? 7
    printf '#!/bin/bash\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec sh -c "${*:2}"\n' >"$TMP/hydra_rsh"; chmod +x "$TMP/hydra_rsh"
    out=$(timeout $LIMIT mpiexec.hydra -launcher rsh -launcher-exec "$TMP/hydra_rsh" -hosts h0:1,h1:2 -n 5 "$CLIENT" map </dev/null 2>&1 | sort)
    same "Hydra's map of hosts" "$out" $'rank 0: 2 hosts, 0 3 here\nrank 1: 2 hosts, 1 2 4 here\nrank 2: 2 hosts, 1 2 4 here\nrank 3: 2 hosts, 0 3 here\nrank 4: 2 hosts, 1 2 4 here'
else
    skip "Hydra's mpiexec starts the client" "no mpiexec.hydra"
fi
# Under a launcher that waits for all: a rank that ends without MPI_Finalize ends the others, who are in it.
out=$(timeout $LIMIT "$here/launcher.py" 3 "$builddir/tests/proc/stuck/stuck" leaves 2>&1 </dev/null); status=$?
same "a rank that leaves without MPI_Finalize, under another launcher" "$((status != 0 && status != 124)) $(echo "$out" | grep -c "rank 1.* has died, or was lost, without calling MPI_Finalize")" "1 $(echo "$out" | wc -l)"
# A launcher's map of hosts, and what the ranks make of none. WANT: the ranks on the host of each.
map_of() {
    local name=$1 want=$2 i=0 ranks; shift 2
    out=$(timeout $LIMIT "$here/launcher.py" "$@" "$CLIENT" map 2>&1 </dev/null | sort)
    same "$name" "$out" "$(for ranks in $want; do echo "rank $i: $(echo "$want" | tr ' ' '\n' | sort -u | wc -l) hosts, ${ranks//,/ } here"; i=$((i + 1)); done)"
}
map_of "a launcher's map of hosts" "0,2 1,3 0,2 1,3" -m "(vector,(0,2,1))" 4
map_of "a map with rounds" "0,2 1,3 0,2 1,3" -m "(vector,[0,1]x2)" 4
map_of "a map of more than 1024 bytes" "0,1,2,3 0,1,2,3 0,1,2,3 0,1,2,3" -m "(vector$(for _ in $(seq 200); do printf ,'(0,1,1)'; done))" 4
map_of "a launcher that gives no map" "0,1,2 0,1,2 0,1,2" 3
if unshare -u true 2>/dev/null; then
    map_of "a launcher that gives no map, on three hosts" "0,2,4 1,5 0,2,4 3 0,2,4 1,5" 6,a,b,a,c,a,b
    map_of "a map that was cut" "0,3 1,2 1,2 0,3" -m "(vector,(0,1,1),(1,1,2),(0,1,1))" -c 23 4,a,b,b,a
    map_of "the ranks' own map in parts" "0 1,2 1,2 3 4,5 4,5" -v 100 6,a,b,b,c,d,d
else
    skip "a launcher that gives no map, on three hosts" "no right to name a host"
fi
echo "1..$N"
