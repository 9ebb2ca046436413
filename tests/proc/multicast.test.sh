#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Multicast between four hosts, over either family, with packets lost, and where it does not reach all of them. Hosts are
# network namespaces. TAP. Needs root or user namespaces, iproute2 and nftables.
set -u
here=$(cd "$(dirname "$0")" && pwd)
builddir=${builddir:-$PWD}
n=0
what=
hosts=h0,h1,h2,h3 ranks=4
how=1 # what is to be seen of multicast does not depend on how fast it is, but for "auto"

ok()
{
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2" && sed 's/^/# /' "$PERF_DIR/out" && grep -v '(HAWSER_' "$PERF_DIR/err" | sed 's/^/# /'; fi
}

# As many ranks as $ranks, one a host or more; leaves out, err and status.
job()
{
    timeout 300 "$builddir/mpirun" -rsh "$PERF_RSH" -host "$hosts" -n $ranks -v -multicast "$how" "$@" "$builddir/tests/proc/coll/multicast" $what >"$PERF_DIR/out" \
        2>"$PERF_DIR/err" </dev/null
    status=$?
    return $status
}

works()
{
    [ $status -eq 0 ] && grep -q "$1" "$PERF_DIR/err"
}

# The cable of h2 is pulled in the middle of a broadcast from rank $1: the job ends, and says which host it is.
pull()
{
    export MULTICAST_BEGUN=$PERF_DIR/begun$1
    what=lost$1
    job -tcpdeadline 3000 &
    until [ -e "$MULTICAST_BEGUN" ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
    ip -n h2 link set n0 down
    wait $!
    status=$?
    [ -e "$MULTICAST_BEGUN" ] && [ $status -ne 0 ] && [ $status -ne 124 ] && grep -q "multicast reaches all 4 hosts" "$PERF_DIR/err" &&
        grep -q "MPI_ERR_OTHER: .*rank [0-9] on host h[0-9]" "$PERF_DIR/err"
    ok $? "$2 is lost in the middle of a broadcast"
    what=
}

# Each of $1 communicators finds out at most once, a later one not where the first has given up.
found_out()
{
    tried=$(grep -c "multicast reaches all 4 hosts" "$PERF_DIR/err")
    untried=$(grep -c "multicast is not tried: unicast brought each host [0-9]* MB/s" "$PERF_DIR/err")
    [ $status -eq 0 ] && [ "$untried" -le 1 ] && [ $((tried + untried)) -ge 1 ] && [ $((tried + untried)) -le "$1" ]
}

lose()
{
    for h in h0 h1 h2 h3; do "$here/../support/nics" lose $h n0 "$1"; done
}

inside4()
{
    job
    works "multicast reaches all 4 hosts (n0, 239\.1" && [ "$(grep -c "multicast reaches all" "$PERF_DIR/err")" -eq 1 ]
    ok $? "multicast over IPv4, found out once"
    how=auto what=timed
    job
    found_out 2
    ok $? "it is tried, or, where unicast is fast, which depends on the machine's other work, it is not"
    what=itimed
    job
    found_out 1
    ok $? "the same behind nonblocking calls"
    for h in h0 h1 h2 h3; do "$here/../support/nics" rate $h n0 100mbit; done
    job
    works "multicast reaches all 4 hosts" && found_out 1
    ok $? "over 100 Mbit/s they lead to a trial"
    what=timed
    job
    works "\(unicast took longer: multicast goes on\|multicast took longer: unicast from here on\)"
    ok $? "over 100 Mbit/s it is compared with unicast"
    for h in h0 h1 h2 h3; do "$here/../support/nics" rate $h n0 10gbit; done
    how=1 what=
    job -multicast 0
    [ $status -eq 0 ] && ! grep -q "reaches all" "$PERF_DIR/err"
    ok $? "-multicast 0 does without"
    lose 50
    job
    works "multicast reaches all 4 hosts"
    ok $? "with 5 of 100 packets lost at each host"
    for h in h0 h1 h2 h3; do "$here/../support/nics" pass $h n0 >/dev/null; done
    ip netns exec h2 nft -f - <<'END'
table ip deaf {
    chain in { type filter hook input priority 0; ip daddr 239.192.0.0/14 udp length > 500 numgen random mod 100 < 80 drop; }
}
END
    what=lossy
    job
    works "multicast took longer: unicast from here on"
    ok $? "a host that most of it does not reach: unicast goes on"
    what=
    ip netns exec h2 nft delete table ip deaf
    ip netns exec h2 nft -f - <<'END'
table ip deaf {
    chain in { type filter hook input priority 0; ip daddr 239.192.0.0/14 drop; }
}
END
    job
    works "no multicast (n0, 239\..*): rank 2 on host h2 does not hear rank 0 on host h0"
    ok $? "a host that it does not reach: unicast serves all"
    what=timed
    job
    [ $status -eq 0 ] && [ "$(grep -c "no multicast" "$PERF_DIR/err")" -eq 1 ]
    ok $? "which is not tried again for a communicator made of that one"
    what=
    ip netns exec h2 nft delete table ip deaf
    pull 0 "a receiver's host"
    ip -n h2 link set n0 up
    pull 2 "the root's host"
    ip -n h2 link set n0 up
    ip -n h0 addr flush dev n0
    ip -n h0 addr add 10.77.0.1/31 dev n0
    ip -n h0 route add 10.77.0.0/24 dev n0
    job
    works "no multicast: rank 1 on host h1 is on no network with h0"
    ok $? "a host on another network"
    ip -n h0 addr flush dev n0
    ip -n h0 addr add 10.77.0.1/24 dev n0
    ranks=8 hosts=h0:2,h1:2,h2:2,h3:2 how=auto what=timed
    HAWSER_SHM=0 job
    [ $status -eq 0 ] && ! grep -q "reaches all\|took longer" "$PERF_DIR/err"
    ok $? "where calls go in two levels without shared memory nothing is compared with it"
    echo "1..$n"
}

inside6()
{
    job
    works "multicast reaches all 4 hosts (n0, ff15:"
    ok $? "multicast over IPv6"
    echo "1..$n"
}

# Two interfaces a host.
inside2()
{
    ip netns exec h2 nft -f - <<'END'
table ip deaf {
    chain in { type filter hook input priority 0; iifname n0 ip daddr 239.192.0.0/14 drop; }
}
END
    job
    works "no multicast (n0, 239\..*): rank 2 on host h2 does not hear rank 0 on host h0" && works "multicast reaches all 4 hosts (n1, 239\.1"
    ok $? "a host that it does not reach on one network: the other network serves"
    job -i n0
    works "no multicast (n0, 239\..*): rank 2" && ! grep -q "reaches all" "$PERF_DIR/err"
    ok $? "but not where -i leaves it out"
    echo "1..$n"
}

case "${1:-}" in
--inside*)
    "inside${1#--inside}"
    exit 0
    ;;
esac
for tool in ip nft unshare; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
"$here/../support/netns" true 2>/dev/null || { echo "1..0 # SKIP namespaces may not be made here"; exit 0; }
"$here/../support/netns" -n 4 "$0" --inside4 | sed '$d'
"$here/../support/netns" -6 -n 4 "$0" --inside6 | sed 's/ok 1 /ok 15 /; $d'
"$here/../support/netns" -n 4 -i 2 "$0" --inside2 | sed 's/ok 1 /ok 16 /; s/ok 2 /ok 17 /; s/^1..2$/1..17/'
