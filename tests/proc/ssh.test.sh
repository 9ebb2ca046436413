#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# mpirun over a real ssh: a private sshd on a port of the loopback, with a host key and a user key made for this test. Two
# "hosts" are this machine under two names that mpirun does not know as its own.
set -u
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-$srcdir/build}" && pwd)
MPIRUN=$builddir/mpirun
EXCHANGE=$builddir/tests/proc/basic/exchange
unset "${!PMI@}" "${!HAWSER_@}" "${!SLURM_@}"
N=0 TMP=$(mktemp -d) SSHD_PID=
cleanup() { [ -z "$SSHD_PID" ] || kill "$SSHD_PID" 2>/dev/null; [ -z "${MADE_RUN:-}" ] || rmdir /run/sshd 2>/dev/null; rm -rf "$TMP"; }
trap cleanup EXIT

ok() { N=$((N + 1)); echo "ok $N - $1"; }
not_ok() { N=$((N + 1)); echo "not ok $N - $1"; shift; printf '#   %s\n' "$@"; }
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:  $2" "want: $3"; fi; }
skip_all() { echo "1..0 # SKIP $1"; exit 0; }
run() { out=$(timeout 300 "$MPIRUN" "$@" 2>"$TMP/err" </dev/null); status=$?; sed -i '/^mpirun: still waiting for /d' "$TMP/err"; }

sshd=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null) || skip_all "no sshd (package openssh-server)"
command -v ssh-keygen >/dev/null && command -v ssh >/dev/null || skip_all "no ssh client (package openssh-client)"
if [ "$(id -u)" = 0 ] && [ ! -d /run/sshd ]; then # where sshd gives up its rights
    mkdir /run/sshd 2>/dev/null || skip_all "sshd needs /run/sshd"
    MADE_RUN=1
fi
chmod 700 "$TMP"
ssh-keygen -q -t ed25519 -N '' -f "$TMP/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$TMP/key" || skip_all "ssh-keygen failed"
cp "$TMP/key.pub" "$TMP/authorized"
start_sshd()
{
    PORT=$((20000 + RANDOM % 20000))
    cat >"$TMP/sshd_config" <<CONF
ListenAddress 127.0.0.1:$PORT
HostKey $TMP/host_key
AuthorizedKeysFile $TMP/authorized
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
CONF
    "$sshd" -D -e -f "$TMP/sshd_config" 2>"$TMP/sshd.log" & SSHD_PID=$!
    for _ in $(seq 1000); do
        grep -q 'listening on' "$TMP/sshd.log" && return 0
        kill -0 $SSHD_PID 2>/dev/null || break
        sleep 0.05
    done
    SSHD_PID=
    return 1
}
start_sshd || start_sshd || start_sshd || skip_all "sshd does not start: $(tail -1 "$TMP/sshd.log")"
echo "far $(cat "$TMP/host_key.pub")" >"$TMP/known"
SSH="ssh -F none -p $PORT -i $TMP/key -o HostName=127.0.0.1 -o HostKeyAlias=far -o UserKnownHostsFile=$TMP/known -o BatchMode=yes -o ConnectTimeout=100"
$SSH far1 true 2>"$TMP/err" </dev/null || skip_all "this account cannot log in by ssh: $(tail -1 "$TMP/err")"

run -rsh "$SSH" -host far1:2,far2 -n 3 sh -c 'echo $PMI_RANK of $PMI_SIZE'
same "ranks start by ssh" "$status $(sort <<<"$out" | tr '\n' ' ')" "0 0 of 3 1 of 3 2 of 3 "
run -rsh "$SSH" -host far1:2,far2:1,localhost:1 "$EXCHANGE"
same "and exchange messages" "$status $(tail -3 "$TMP/err")" "0 "
run -rsh "$SSH" -host far1,far2 -x HWS_SSH_TEST="two  words and 'a quote'" -wdir / sh -c 'echo "$PWD $HWS_SSH_TEST"'
same "directory and environment go along" "$status $(sort -u <<<"$out")" "0 / two  words and 'a quote'"
same "input and output pass through ssh" "$(head -c 3000000 /dev/zero | timeout 300 "$MPIRUN" -rsh "$SSH" -host far1 cat | wc -c)" 3000000
run -rsh "$SSH" -host far1,far2 sh -c '[ $PMI_RANK = 0 ] && sleep 300; exit 5'
same "the status of a far rank ends the job" "$status $(grep -c 'rank 1 on host' "$TMP/err")" "5 1"
run -rsh "ssh -o UserKnownHostsFile=/dev/null ${SSH#ssh }" -host far1 true
same "a refusal of ssh is passed on" "$status $(grep -c 'cannot reach host far1.*Host key verification failed' "$TMP/err")" "1 1"
mark=ssh.$$.$RANDOM
HWS_SSH_MARK=$mark "$MPIRUN" -rsh "$SSH" -host far1,far2 sh -c 'echo ready; sleep 300' >"$TMP/out" 2>&1 </dev/null & pid=$!
for _ in $(seq 2000); do [ "$(grep -c ready "$TMP/out")" = 2 ] && break; sleep 0.05; done
kill -KILL $pid; wait $pid 2>/dev/null
left=1
for _ in $(seq 600); do
    left=$(grep -alz "HWS_SSH_MARK=$mark" /proc/[0-9]*/environ 2>/dev/null | wc -l)
    [ "$left" = 0 ] && break
    sleep 0.1
done
same "nothing is left on the far hosts when mpirun is killed" "$(grep -c ready "$TMP/out") $left" "2 0"
echo "1..$N"
