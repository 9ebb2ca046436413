#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Which interfaces and pairs of addresses ranks use, between hosts that are network namespaces. TAP. Needs root or user
# namespaces, iproute2 and nftables.
set -u
here=$(cd "$(dirname "$0")" && pwd)
builddir=${builddir:-$PWD}
n=0

ok()
{
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2" && sed 's/^/# /' "$PERF_DIR/out" "$PERF_DIR/err"; fi
}

# mpirun's notice that it waits for a host depends on the machine's other work; all else is kept.
keep_words()
{
    sed -i '/^mpirun: still waiting for /d' "$PERF_DIR/err"
}

# Two ranks, one a host, that exchange messages; extra words are mpirun's. A rank kept from running for a second while somebody
# connects to it would lose what it has just accepted, and say so: hence -tcpsilent. Leaves out, err and status.
job()
{
    timeout 300 "$builddir/mpirun" -rsh "$PERF_RSH" -host h0,h1 -n 2 -tcpsilent 20000 "$@" "$builddir/tests/proc/basic/exchange" \
        >"$PERF_DIR/out" 2>"$PERF_DIR/err" </dev/null
    status=$?
    keep_words
}

bytes_of()
{
    ip netns exec "$1" cat "/sys/class/net/$2/statistics/tx_bytes"
}

works_silently()
{
    [ $status -eq 0 ] && grep -qx "exchanged" "$PERF_DIR/out" && [ ! -s "$PERF_DIR/err" ]
}

inside()
{
    job
    works_silently
    ok $? "two NICs, default choice"

    for h in h0 h1; do # what a container engine leaves on every host: the same address, no way to the other
        ip -n $h link add docker0 type bridge
        ip -n $h link add peer0 type veth peer name peer1
        ip -n $h link set peer0 master docker0 up
        ip -n $h link set peer1 up
        ip -n $h addr add 172.17.0.1/16 dev docker0
        ip -n $h link set docker0 up
    done
    job
    works_silently
    ok $? "a bridge with the same address on both hosts is not used"

    for h in h0 h1; do
        for i in $(seq 20); do
            ip -n $h link add "more$i" type veth peer name "end$i"
            ip -n $h addr add "10.9.$i.1/24" dev "more$i"
            ip -n $h link set "more$i" up
            ip -n $h link set "end$i" up
        done
    done
    job
    works_silently
    ok $? "twenty more interfaces whose networks both hosts have"
    job -i n0,n1
    works_silently
    ok $? "-i among them"
    for h in h0 h1; do
        for i in $(seq 20); do ip -n $h link del "more$i"; done
        ip -n $h link del docker0
        ip -n $h link del peer0
    done

    before=$(bytes_of h0 n0)
    job -i n1
    works_silently && [ $(($(bytes_of h0 n0) - before)) -lt 20000 ]
    ok $? "-i n1 leaves n0 alone"

    before=$(bytes_of h0 n1)
    job -i "$PERF_NET.0.0/24"
    works_silently && [ $(($(bytes_of h0 n1) - before)) -lt 20000 ]
    ok $? "-i with a network"

    job -i nosuch0
    [ $status -ne 0 ] && grep -q "nosuch0" "$PERF_DIR/err" && grep -q "n0" "$PERF_DIR/err"
    ok $? "-i with an unknown name says what there is"

    ip -n h1 link set n0 down
    job
    works_silently
    ok $? "an interface that is down is not used"
    ip -n h1 link set n0 up
    until ip -n h1 link show dev n0 | grep -q 'state UP'; do sleep 0.05; done

    for h in h0 h1; do
        ip netns exec $h nft add table inet f
        ip netns exec $h nft add chain inet f in '{ type filter hook input priority 0; }'
        ip netns exec $h nft add rule inet f in iifname n0 drop
    done
    job -tcpconnect 1500
    [ $status -eq 0 ] && grep -qx "exchanged" "$PERF_DIR/out"
    ok $? "a blackholed pair is given up and the other used"

    for h in h0 h1; do ip netns exec $h nft add rule inet f in iifname n1 drop; done
    job -tcpconnect 200 -tcpdeadline 1000
    [ $status -ne 0 ] && grep -qE "rank ([01]) on host h\1 cannot be reached from rank [01]: no connection for [0-9]+ ms over 2 address pairs; the last: n[01] $PERF_NET.* no answer to the connection attempt" "$PERF_DIR/err"
    ok $? "all pairs blackholed: the error names both ends and the reason"

    for h in h0 h1; do
        ip netns exec $h nft flush ruleset
        ip netns exec $h nft add table inet f
        ip netns exec $h nft add chain inet f in '{ type filter hook input priority 0; }'
        ip netns exec $h nft add rule inet f in tcp dport != 5100-5103 'tcp flags & (syn|ack) == syn' drop
    done
    job -portrange 5100-5103
    works_silently
    ok $? "-portrange keeps to the range"
    echo "1..$n"
}

if [ "${1:-}" = --inside ]; then
    inside
    exit 0
fi
for tool in ip nft unshare; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
"$here/../support/netns" true 2>/dev/null || { echo "1..0 # SKIP namespaces may not be made here"; exit 0; }
exec "$here/../support/netns" -i 2 "$0" --inside
