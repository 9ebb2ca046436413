#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The flags and variables that scripts for Open MPI, MPICH and batch systems use: each row does as with the MPI it comes
# from, or is refused by name. Hosts w1 and w2 are this machine, by a remote shell that starts everything here.
set -u
builddir=$(cd "${builddir:-.}" && pwd)
MPIRUN=$builddir/mpirun HOST=$(hostname)
TMP=$(mktemp -d) || exit 1
trap 'rm -rf "$TMP"' EXIT
for v in ${!HAWSER_*} ${!PMI_*} ${!SLURM_*} ${!PBS_*} ${!LSB_*} ${!OAR_*} ${!COBALT_*} PE_HOSTFILE ${!HYDRA_*} ${!I_MPI_*} ${!OMPI_*} ${!PRTE_*} ${!MPIR_CVAR_*} ${!MPICH_*} MPIEXEC_TIMEOUT; do unset "$v"; done
cd "$TMP" || exit 1
cat >agent <<'AGENT'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
shift
exec sh -c "$*"
AGENT
chmod +x agent
printf '#!/bin/sh\necho "asked for: $*" >&2\nexit 1\n' >no-agent; chmod +x no-agent; ln -s no-agent srun
printf 'w1 slots=2 max_slots=2\nw2 cpu=2\n' >hosts; printf 'w1\nw1\nw2\n' >lines; printf 'w1 2 q@w1 UNDEFINED\nw2 1 q@w2 UNDEFINED\n' >sge
for a in sockets=2 ifhn=w1-ib; do printf 'w1 %s\n' $a >hosts.${a%=*}; done
printf -- '-n 1 echo one\n-n 1 echo two\n' >apps; printf 'in\n' >in
export HAWSER_RSH=$TMP/agent
N=0
# row NAME STATUS WANT [VAR=VALUE...] ARGUMENTS...: WANT is a pattern of bash for the whole of both outputs, lines sorted and joined by ';'
row()
{
    local name=$1 status=$2 want=$3 got; shift 3
    local -a vars=()
    while [[ ${1:-} == [A-Z]*=* ]]; do vars+=("$1"); shift; done
    env "${vars[@]}" timeout 60 "$MPIRUN" "$@" >out 2>&1 <in; local s=$?
    got="$s $(grep -v 'still waiting for' out | sed "s/host $HOST:/host HOST:/" | LC_ALL=C sort | paste -sd';')"
    N=$((N + 1))
    # shellcheck disable=SC2053 # a pattern
    if [[ $got == "$status "$want ]]; then echo "ok $N - $name"; else echo "not ok $N - $name"; printf '#   got:  %s\n#   want: %s\n' "$got" "$status $want"; fi
}
maps() { row "$1" 0 "$(sed 's/w\([12]\)=\([^;]*\)/mpirun: host w\1: \2/g' <<<"$2")" "${@:3}" true; }
two=(--display-map -host w1:4,w2:4)

# ---- where ranks go
maps "no -n: all slots" "w1=ranks 0-3;w2=ranks 4-7" "${two[@]}"
maps "--map-by ppr:1:node" "w1=rank 0;w2=rank 1" --map-by ppr:1:node "${two[@]}"
maps "--map-by node" "w1=ranks 0, 2;w2=ranks 1, 3" --map-by node -n 4 "${two[@]}"
maps "--map-by slot" "w1=ranks 0-3;w2=rank 4" --map-by slot -n 5 "${two[@]}"
maps "--map-by core" "w1=ranks 0-3;w2=rank 4" --map-by core -n 5 "${two[@]}"
row "--map-by ppr:N:socket" 2 "mpirun: -map-by: 'socket' cannot be done:*use ppr:N:node*" --map-by ppr:2:socket "${two[@]}" true
row "--map-by slot:PE=n" 2 "mpirun: -map-by: 'PE=2' cannot be done:*" --map-by slot:PE=2 "${two[@]}" true
maps "--rank-by slot" "w1=ranks 0-3" --rank-by slot -n 4 "${two[@]}"
row "--rank-by node" 2 "mpirun: -rank-by: 'node' cannot be done:*-map-by node*" --rank-by node -n 4 "${two[@]}" true
row "-npersocket" 2 "mpirun: flag '-npersocket' cannot be done:*" -npersocket 2 "${two[@]}" true
maps "-pernode" "w1=rank 0;w2=rank 1" -pernode "${two[@]}"
maps "-npernode" "w1=ranks 0-1;w2=ranks 2-3" -npernode 2 "${two[@]}"
row "--cpu-set" 2 "mpirun: flag '--cpu-set' cannot be done:*" --cpu-set 0,1 true
row "--rankfile" 2 "mpirun: flag '--rankfile' cannot be done:*" --rankfile f true
maps "max_slots=, cpu=" "w1=ranks 0-1;w2=ranks 2-3" --display-map -hostfile hosts
row "max_slots= is a bound" 2 "mpirun: *max_slots*" -hostfile hosts -host w1 -n 3 true
row "sockets=" 2 "mpirun: hosts.sockets:1: 'sockets=2': *slots=N*" -hostfile hosts.sockets true
row "ifhn=" 2 "mpirun: hosts.ifhn:1: 'ifhn=w1-ib': *" -hostfile hosts.ifhn true
maps "--default-hostfile" "w1=ranks 0-1;w2=ranks 2-3" --display-map --default-hostfile hosts
maps "--display map" "w1=rank 0" --display map -host w1

# ---- starting
row "-configfile" 0 "one;two" -configfile apps
row "--app" 0 "one;two" --app apps
row "--prefix" 1 "mpirun: cannot reach host w1 with '$TMP/no-agent': asked for: w1 /nowhere/bin/mpirun --hawser-node *" HAWSER_RSH="$TMP/no-agent" --prefix /nowhere -host w1 true
row "-rmk" 2 "mpirun: -rmk: no allocation of 'pbs'*" -rmk pbs true
maps "-rmk in an allocation" "w1=ranks 0-1;w2=rank 2" PBS_NODEFILE=lines PBS_JOBID=1 --display-map -rmk pbs
row "-launcher lsf" 2 "mpirun: -launcher: 'lsf' is not known here: there are ssh, rsh and slurm*" -launcher lsf true
row "-launcher slurm" 1 "mpirun: cannot reach host w1 with 'srun': asked for: * w1 *" PATH="$TMP:$PATH" -launcher slurm -host w1 true
row "-launcher-exec" 1 "mpirun: cannot reach host w1 with '$TMP/no-agent': asked for: w1 *" -launcher-exec "$TMP/no-agent" -host w1 true
row "-genvnone" 0 "" MARK=1 -genvnone -n 1 sh -c 'echo $MARK | grep .; true'
row "-gdb" 2 "mpirun: flag '-gdb' cannot be done:*" -gdb true
row "-gdba" 2 "mpirun: flag '-gdba' cannot be done:*" -gdba 3 true
row "-xterm" 2 "mpirun: flag '-xterm' cannot be done:*" -xterm 1 true
row "-iface" 0 "lo" -iface lo -n 1 sh -c 'echo $HAWSER_I'
row "--mca btl_tcp_if_include" 0 "lo" --mca btl_tcp_if_include lo -n 1 sh -c 'echo $HAWSER_I'
row "other --mca" 0 "mpirun: warning: these --mca parameters of Open MPI mean nothing here and are ignored: pml, btl" --mca pml ob1 --mca btl self --mca btl tcp -n 1 true
row "an unknown flag" 2 "mpirun: unknown flag '--map-bye'; is -*map-by meant?*" --map-bye node true

# ---- input and output
row "-stdin N" 0 "0:;1:in" -stdin 1 -n 2 sh -c 'read -r x; echo "$PMI_RANK:$x"'
row "-stdin all" 0 "0:in;1:in" -stdin all -n 2 sh -c 'read -r x; echo "$PMI_RANK:$x"'
row "--timestamp-output" 0 "??? ??? ?? ??:??:?? 20??<stdout>:x" --timestamp-output -n 1 echo x
row "--output-filename" 0 "x" --output-filename "$TMP/dir" -n 1 echo x
row "what its file holds" 0 "x" -n 1 cat dir/1/rank.0/stdout
row "--output tag" 0 "\[0\] x" --output tag -n 1 echo x
row "-outfile-pattern" 0 "" -outfile-pattern "$TMP/of.%r" -n 1 echo x
row "what that file holds" 0 "x" -n 1 cat of.0
row "-quiet" 0 "x" -quiet -n 1 echo x

# ---- variables
for v in LSB_DJOB_HOSTFILE OAR_NODEFILE OAR_FILE_NODES COBALT_NODEFILE PBS_NODEFILE; do maps $v "w1=ranks 0-1;w2=rank 2" $v=lines PBS_JOBID=1 --display-map; done
maps PE_HOSTFILE "w1=ranks 0-1;w2=rank 2" PE_HOSTFILE=sge --display-map
maps LSB_HOSTS "w1=ranks 0-1;w2=rank 2" LSB_HOSTS="w1 w1 w2" --display-map
maps LSB_MCPU_HOSTS "w1=ranks 0-1;w2=rank 2" LSB_MCPU_HOSTS="w1 2 w2 1" --display-map
maps SLURM_JOB_NODELIST "w1=ranks 0-1;w2=rank 2" SLURM_JOB_ID=1 SLURM_JOB_NODELIST="w[1-2]" SLURM_TASKS_PER_NODE="2,1" --display-map
for v in HYDRA_HOST_FILE I_MPI_HYDRA_HOST_FILE OMPI_MCA_orte_default_hostfile PRTE_MCA_prte_default_hostfile; do maps $v "w1=ranks 0-1;w2=ranks 2-3" $v=hosts --display-map; done
for v in OMPI_MCA_rmaps_base_mapping_policy PRTE_MCA_rmaps_default_mapping_policy; do
    maps $v "w1=ranks 0, 2;w2=ranks 1, 3" $v=node -n 4 "${two[@]}"
    row "$v that cannot be" 2 "mpirun: -map-by: 'socket' cannot be done:*" $v=ppr:1:socket "${two[@]}" true
done
for v in OMPI_MCA_btl_tcp_if_include HYDRA_IFACE I_MPI_HYDRA_IFACE; do
    row $v 0 lo $v=lo -n 1 sh -c 'echo $HAWSER_I'
    row "-i before $v" 0 lo $v=none -i lo -n 1 sh -c 'echo $HAWSER_I'
    row "HAWSER_I before $v" 0 lo $v=none HAWSER_I=lo -n 1 sh -c 'echo $HAWSER_I'
done
unset HAWSER_RSH
for v in HYDRA_LAUNCHER_EXEC OMPI_MCA_plm_rsh_agent PRTE_MCA_plm_ssh_agent I_MPI_HYDRA_BOOTSTRAP_EXEC; do row $v 1 "mpirun: cannot reach host w1 with '$TMP/no-agent': asked for: w1 *" $v="$TMP/no-agent" -host w1 true; done
for way in ssh slurm; do ln -sf no-agent ssh; row "HYDRA_LAUNCHER=$way" 1 "mpirun: cannot reach host w1 with '*': asked for: *w1 *" HYDRA_LAUNCHER=$way PATH="$TMP:$PATH" -host w1 true; done
row "an empty HAWSER_RSH is none" 1 "mpirun: cannot reach host w1 with 'ssh*': asked for: *w1 *" HAWSER_RSH= PATH="$TMP:$PATH" -host w1 true
row "-rsh without a command" 2 "mpirun: -rsh: no command is given" -rsh '' -host w1 true
row "a HYDRA_LAUNCHER that is not here" 0 "mpirun: warning: these variables of other MPIs mean nothing here and are ignored: HYDRA_LAUNCHER=lsf" HYDRA_LAUNCHER=lsf -n 1 true
row "but -rsh says more" 0 "" HYDRA_LAUNCHER=lsf -rsh "$TMP/agent" -n 1 true
row "parameters of Open MPI in variables" 0 "mpirun: warning: these variables of other MPIs mean nothing here and are ignored: OMPI_MCA_pml" OMPI_MCA_pml=ob1 OMPI_MCA_btl_vader_single_copy_mechanism=none -n 1 true
row "parameters of MPICH in variables" 0 "mpirun: warning: these variables of other MPIs mean nothing here and are ignored: MPIR_CVAR_NOLOCAL" MPIR_CVAR_NOLOCAL=1 -n 1 true
for v in MPIR_CVAR_CH3_PORT_RANGE MPICH_PORT_RANGE MPICH_CH3_PORT_RANGE; do row "$v" 0 "4000-4010" $v=4000:4010 -n 1 sh -c 'echo $HAWSER_PORTRANGE'; done
row "but HAWSER_PORTRANGE says more" 0 "5000-5010" HAWSER_PORTRANGE=5000-5010 MPICH_PORT_RANGE=4000:4010 -n 1 sh -c 'echo $HAWSER_PORTRANGE'
row "those of a rank of Open MPI" 0 "" OMPI_MCA_pml=ob1 OMPI_COMM_WORLD_SIZE=2 -n 1 true
row MPIEXEC_TIMEOUT 124 "mpirun: the job did not end within 0.5 seconds" MPIEXEC_TIMEOUT=0.5 -n 1 sleep 60
echo "1..$N"
