#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SCTP, in a kernel that has it: User-Mode Linux, on this machine's files. The link suite, tests of real ranks, a link that loses
# packets, a path that fails, the lines of the testlists (PROC_LINES). TAP. `./check sctp` runs it; it takes some minutes of one processor.
#
#     tests/uml/sctp.test.sh            PROC_ONLY="NAME...": only these lines     UML_LIMIT=S: the kernel is ended after S seconds (3600)
#
# Needs root, Debian's user-mode-linux and kmod, and a file system that User-Mode Linux can read; else it skips.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
builddir=$(cd "${builddir:-$PWD}" && pwd)
n=0 failed=0
shopt -s lastpipe # a loop behind a pipe counts in n and failed

# ---- inside the kernel ----------------------------------------------------------------------------------------------

result()
{
    n=$((n + 1))
    [ "$1" -eq 0 ] || failed=$((failed + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

# Runs a command that prints TAP and takes its lines over:   tap NAME COMMAND...
tap()
{
    local name=$1 before=$n line
    shift
    "$@" 2>&1 </dev/null | while IFS= read -r line; do
        case $line in
        "ok "*) result 0 "$name: ${line#ok * - }" ;;
        "not ok "*) result 1 "$name: ${line#not ok * - }" ;;
        1..*) ;;
        *) echo "# ${line#\# }" ;;
        esac
    done
    [ "$n" -gt "$before" ] || result 1 "$name: no results"
}

# Ranks on the hosts of tests/support/netns; leaves out and err:   ranks NP PROGRAM...
ranks()
{
    local np=$1 program=$2
    shift 2
    timeout 900 "$builddir/mpirun" -rsh "$PERF_RSH" -host h0,h1 -n "$np" "$builddir/tests/proc/$program" "$@" \
        >"$PERF_DIR/out" 2>"$PERF_DIR/err" </dev/null
}

show() { sed 's/^/# /' "$PERF_DIR/out" "$PERF_DIR/err"; }

lossy()
{
    for host in h0 h1; do
        "$root/tests/support/nics" wan $host n0 10ms "$1"
    done
    ranks 2 pt2pt/order
    result $? "messages keep their order with 10 ms and $1 lost"
    ranks 4 coll/random 15
    result $? "collectives with 10 ms and $1 lost"
    ranks 2 survival/stream -s 8-100000 -n 60 -d both -y
    result $? "long and short messages with 10 ms and $1 lost"
    [ $failed -eq 0 ] || show
}

# Waits until a command succeeds; what takes so long hangs:   await COMMAND...
await()
{
    local end=$((SECONDS + 300))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}

# Bytes that all ranks have received so far, as far as they have told.
received() { tail -qn1 "$PERF_DIR"/samples.* 2>/dev/null | awk '{ n += $2 } END { printf "%d", n }'; }
has_received() { [ "$(received)" -gt "$1" ]; }
has_said() { grep -q "$1" "$PERF_DIR/err"; }
stop_s() { sed -n 's/.*"stop_s": *\([0-9.]*\).*/\1/p' "$PERF_DIR/out" | head -1; }

# A path of two falls silent in both directions, and comes back when the job has gone on over the other.
paths()
{
    ranks 2 survival/stream -s 1000-60000 -d both -u "$PERF_DIR/stop" -o "$PERF_DIR/samples" &
    local job=$!
    await has_received 1000000
    for host in h0 h1; do "$root/tests/support/nics" wan $host n0 0ms 100%; done
    await has_said "path to $PERF_NET.0.[12] is lost"
    result $? "it says which path is lost"
    await has_received $(($(received) + 1000000))
    result $? "a job goes on while a path is silent"
    for host in h0 h1; do "$root/tests/support/nics" wan $host n0 0ms 0%; done
    await has_said "path to $PERF_NET.0.[12] is back"
    result $? "it says that the path is back"
    touch "$PERF_DIR/stop"
    wait $job
    result $? "and the job is right"
    echo "# stopped for $(stop_s) s"
    [ $failed -eq 0 ] || show
}

# One sends many short messages to the other and waits between them, so the last ones lost are found by probes alone.
tail_losses()
{
    for host in h0 h1; do
        "$root/tests/support/nics" wan $host n0 1ms 10%
    done
    HAWSER_TRACE=link ranks 2 survival/stream -m pingpong -s 8-3000 -n 60
    result $? "a ping-pong goes on with 10 % lost"
    grep -q "unacknowledged in silence, probed" "$PERF_DIR/err"
    result $? "last packets that are lost are asked for"
    [ $failed -eq 0 ] || show
    HAWSER_TRACE=link HAWSER_SCTPPROBE=0 ranks 2 survival/stream -m pingpong -s 8-3000 -n 30
    result $? "a ping-pong goes on without probes"
    ! grep -q "in silence, probed" "$PERF_DIR/err"
    result $? "-sctpprobe 0 sends none"
}

# The port of the rank on h1, once it listens.
await_port()
{
    local port
    for _ in $(seq 3000); do
        port=$(ip netns exec h1 awk 'NR > 1 && $4 == 10 && $6 > 0 { print $6 }' /proc/net/sctp/eps | head -1)
        [ -z "$port" ] || break
        sleep 0.1
    done
    echo "${port:-0}"
}

# Somebody who speaks SCTP-AUTH but has not the job's key, and somebody who does not speak it. Each says what became of him: ended,
# which is awaited of the second, or in a second not even acknowledged.
foreigners()
{
    python3 - "$PERF_NET.0.2" "$1" 2>&1 <<'END'
import socket, struct, sys
for able in (True, False):
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)
    s.settimeout(100)
    if able:
        s.setsockopt(132, 129, struct.pack("=iI", 0, 1))  # SCTP_AUTH_SUPPORTED
        s.setsockopt(132, 21, b"\0")                      # SCTP_AUTH_CHUNK: data
    fate = "heard"
    try:
        s.connect((sys.argv[1], int(sys.argv[2])))
        s.sendall(b"GET / HTTP/1.0\r\n\r\n")
        s.settimeout(1 if able else 100)
        if s.recv(100) == b"":
            fate = "refused"
    except socket.timeout:
        status = s.getsockopt(132, 14, 256)               # SCTP_STATUS
        if struct.unpack_from("=H", status, 12)[0] > 0:   # sstat_unackdata
            fate = "ignored"
    except OSError:
        fate = "refused"
    print("able" if able else "unable", fate)
END
}

authenticated()
{
    local port
    HAWSER_SCTPAUTH=1 ranks 2 survival/stream -s 1000-60000 -d both -u "$PERF_DIR/stop" &
    local job=$!
    port=$(await_port)
    foreigners "$port" >"$PERF_DIR/foreigners"
    grep -qx "able ignored" "$PERF_DIR/foreigners"
    result $? "data under another key is not acknowledged"
    grep -qx "unable refused" "$PERF_DIR/foreigners"
    result $? "an association without keys is refused"
    touch "$PERF_DIR/stop"
    wait $job
    result $? "and the job goes on"
    HAWSER_SCTPAUTH=1 HAWSER_COUNTERS=1 ranks 4 pt2pt/order
    result $? "a job with SCTP-AUTH"
    grep -q "port [0-9]*.*, SCTP-AUTH" "$PERF_DIR/err"
    result $? "it tells that it uses it"
    [ $failed -eq 0 ] || { show && sed 's/^/# /' "$PERF_DIR/foreigners"; }
    printf '#!/bin/sh\nHAWSER_SCTPAUTH=$PMI_RANK exec "$@"\n' >"$PERF_DIR/mixed"
    chmod +x "$PERF_DIR/mixed"
    timeout 900 "$builddir/mpirun" -rsh "$PERF_RSH" -host h0,h1 -n 2 "$PERF_DIR/mixed" "$builddir/tests/proc/pt2pt/order" \
        >"$PERF_DIR/out" 2>"$PERF_DIR/err" </dev/null
    [ $? -ne 0 ] && grep -q "uses SCTP-AUTH, .* does not" "$PERF_DIR/err"
    result $? "a job of which a part uses it ends with the reason"
    [ $failed -eq 0 ] || show
}

# Kernels before Linux 5.4 do not know the option that turns SCTP-AUTH on for a socket; net.sctp.auth_enable decides there.
old_kernel()
{
    ${CC:-cc} -shared -fPIC -o "$PERF_DIR/old.so" -x c - <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
    if (level == 132 && name == 129) { /* SCTP_AUTH_SUPPORTED */
        errno = ENOPROTOOPT;
        return -1;
    }
    return (int)syscall(SYS_setsockopt, fd, level, name, value, len);
}
END
    printf '#!/bin/sh\nLD_PRELOAD=%s exec "$@"\n' "$PERF_DIR/old.so" >"$PERF_DIR/old"
    printf '#!/bin/sh\n[ "$PMI_RANK" = 0 ] || LD_PRELOAD=%s exec "$@"\nexec "$@"\n' "$PERF_DIR/old.so" >"$PERF_DIR/one-old"
    chmod +x "$PERF_DIR/old" "$PERF_DIR/one-old"
}

# A job of two ranks with SCTP-AUTH behind this command.
behind()
{
    HAWSER_SCTPAUTH=1 HAWSER_COUNTERS=1 timeout 900 "$builddir/mpirun" -rsh "$PERF_RSH" -host h0,h1 -n 2 "$1" \
        "$builddir/tests/proc/pt2pt/order" >"$PERF_DIR/out" 2>"$PERF_DIR/err" </dev/null
}

unauthenticated()
{
    old_kernel
    behind "$PERF_DIR/old"
    result $? "a job on kernels without SCTP-AUTH goes on"
    [ "$(grep -c "no SCTP-AUTH, so -sctpauth 1 has no effect" "$PERF_DIR/err")" -eq 1 ]
    result $? "and says once that it goes without"
    ! grep -q ", SCTP-AUTH" "$PERF_DIR/err"
    result $? "no lane claims to have it"
    [ $failed -eq 0 ] || show
    behind "$PERF_DIR/one-old"
    [ $? -ne 0 ] && grep -q "uses SCTP-AUTH, .* does not (-sctpauth, or a kernel without it)" "$PERF_DIR/err"
    result $? "where one kernel has it the job ends with the reason"
    [ $failed -eq 0 ] || show
    for host in h0 h1; do ip netns exec $host sysctl -qw net.sctp.auth_enable=1; done
    behind "$PERF_DIR/old" && grep -q "port [0-9]*.*, SCTP-AUTH" "$PERF_DIR/err"
    result $? "an older kernel where net.sctp.auth_enable is 1 has it"
    [ $failed -eq 0 ] || show
}

# Hosts without IPv4.
no_ipv4()
{
    ranks 4 pt2pt/order
    result $? "messages keep their order"
    ranks 4 coll/random 15
    result $? "collectives"
    [ $failed -eq 0 ] || show
}

# Associations of somebody who is no rank: silent ones, and ones that send what is no message of ours.
strangers()
{
    ranks 2 survival/stream -s 1000-60000 -d both -u "$PERF_DIR/stop" &
    local job=$! port
    port=$(await_port)
    python3 - "$PERF_NET.0.2" "$port" 2>"$PERF_DIR/strangers" <<'END'
import socket, sys, time
open_ones = []
for junk in (b"", b"GET / HTTP/1.0\r\n\r\n", bytes(60000)) * 20:
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)
    s.settimeout(100)
    s.connect((sys.argv[1], int(sys.argv[2])))
    open_ones.append(s)
    try:
        if junk:
            s.sendall(junk)
    except OSError:
        pass
time.sleep(1)
END
    result $? "strangers reach the socket"
    touch "$PERF_DIR/stop"
    wait $job
    result $? "and the job goes on"
    [ $failed -eq 0 ] || show
    sed 's/^/# /' "$PERF_DIR/strangers"
}

work()
{
    export HAWSER_SHM=0 HAWSER_TRANSPORT=sctp PROC_NOT_PLAIN="User-Mode Linux" PROC_TIME_SCALE=5
    echo "# Linux $(uname -r)"
    tap link "$builddir/tests/link/sctp_plain"
    tap "two interfaces" "$root/tests/support/netns" -i 2 "$0" --paths
    tap loss "$root/tests/support/netns" "$0" --lossy 2%
    tap "tail losses" "$root/tests/support/netns" "$0" --tail-losses
    tap "IPv6 only" "$root/tests/support/netns" -6 -i 2 "$0" --no-ipv4
    tap "link-local addresses only" "$root/tests/support/netns" -l "$0" --no-ipv4
    tap SCTP-AUTH "$root/tests/support/netns" "$0" --authenticated
    tap "no SCTP-AUTH" "$root/tests/support/netns" "$0" --unauthenticated
    tap strangers "$root/tests/support/netns" "$0" --strangers
    tap ranks "$root/tests/proc/run" --build "$builddir"
    echo "1..$n"
    [ $failed -eq 0 ]
}

# ---- outside --------------------------------------------------------------------------------------------------------

skip() { echo "1..0 # SKIP $*" && exit 0; }

outside()
{
    local folder rc
    grep -q '^#define HAVE_SCTP 1' "$builddir/config.h" || skip "this build has no SCTP (Debian: libsctp-dev)"
    folder=$(mktemp -d) || exit 1
    cd "$builddir" || exit 1
    builddir=$builddir "$here/boot" -t "${UML_LIMIT:-3600}" -o "$folder/log" \
        "$here/$(basename "$0")" --work 2>"$folder/why"
    rc=$?
    [ $rc -ne 77 ] || skip "$(tail -1 "$folder/why")"
    cat "$folder/log"
    grep -q '^1\.\.' "$folder/log" || { sed 's/^/# /' "$folder/why" && echo "Bail out! $(tail -1 "$folder/why")"; }
    rm -rf "$folder"
    return $rc
}

case ${1:-} in
--work) work ;;
--paths) paths ;;
--strangers) strangers ;;
--tail-losses) tail_losses ;;
--no-ipv4) no_ipv4 ;;
--authenticated) authenticated ;;
--unauthenticated) unauthenticated ;;
--lossy) lossy "$2" ;;
*) outside ;;
esac
