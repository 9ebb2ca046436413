#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Hosts that are not alike and networks that are not plain: different numbers of NICs, several NICs in one subnet, both
# families on one NIC, address translation on the way. Hosts are network namespaces. TAP. Needs root or user namespaces,
# iproute2 and nftables.
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

sent()
{
    ip netns exec "$1" cat "/sys/class/net/$2/statistics/tx_bytes"
}

works_silently()
{
    [ $status -eq 0 ] && grep -qx "exchanged" "$PERF_DIR/out" && [ ! -s "$PERF_DIR/err" ]
}

# A job with -i n1 that sends over n1 and not over n0, on both hosts.
keeps_to_n1()
{
    h0=$(sent h0 n0) h1=$(sent h1 n0)
    job -i n1
    works_silently && [ $(($(sent h0 n0) - h0)) -lt 20000 ] && [ $(($(sent h1 n0) - h1)) -lt 20000 ]
}

# Whether all of these, "HOST NIC BYTES", have sent bulk since they had sent so many bytes.
have_sent()
{
    local host nic before
    for word; do
        read -r host nic before <<<"$word"
        [ $(($(sent "$host" "$nic") - before)) -gt 100000 ] || return 1
    done
}

# A job that streams both ways until both NICs of both hosts have sent bulk: it is not known when the second lane is up.
uses_both()
{
    local had=() used=1 host nic running
    for host in h0 h1; do for nic in n0 n1; do had+=("$host $nic $(sent $host $nic)"); done; done
    rm -f "$PERF_DIR/stop"
    timeout 300 "$builddir/mpirun" -rsh "$PERF_RSH" -host h0,h1 -n 2 -tcpsilent 20000 "$builddir/tests/proc/survival/stream" -d both -s 65536 \
        -u "$PERF_DIR/stop" >"$PERF_DIR/out" 2>"$PERF_DIR/err" </dev/null &
    running=$!
    while kill -0 $running 2>/dev/null; do
        have_sent "${had[@]}" && used=0 && break
        sleep 0.1
    done
    touch "$PERF_DIR/stop"
    wait $running
    status=$?
    keep_words
    [ $status -eq 0 ] && [ $used -eq 0 ] && [ ! -s "$PERF_DIR/err" ]
}

inside()
{
    for h in 0 1; do
        ip -n h$h -6 addr add "fd77:0::$((h + 1))/64" dev n0 nodad
        ip -n h$h -6 addr add "fd77:1::$((h + 1))/64" dev n1 nodad
    done
    job
    works_silently
    ok $? "both families on both NICs"
    job -i fd77:1::/64
    works_silently
    ok $? "one NIC, its IPv6 address"
    for h in h0 h1; do ip -n $h -6 addr flush scope global; done

    ip -n h1 link set n1 down
    job
    works_silently
    ok $? "one host has a NIC less"
    ip -n h1 addr flush dev n1
    ip -n h1 addr add 10.99.0.1/24 dev n1
    ip -n h1 link set n1 up
    until ip -n h1 link show dev n1 | grep -q 'state UP'; do sleep 0.05; done
    job
    works_silently
    ok $? "the second NICs are of different networks"

    for h in 0 1; do # two wires, one subnet: by the routing table everything leaves through n0
        ip -n h$h addr flush dev n1
        ip -n h$h addr add "$PERF_NET.0.1$h/24" dev n1
    done
    uses_both
    ok $? "two NICs in one subnet, not joined by a switch: both are used"
    keeps_to_n1
    ok $? "and -i n1 uses n1"

    ip -n sw link add x0 type veth peer name x1
    ip -n sw link set x0 master br0 up
    ip -n sw link set x1 master br1 up
    for h in h0 h1; do ip -n $h neigh flush all; done
    job
    works_silently
    ok $? "two NICs in one subnet at one switch"
    job -i n1
    works_silently
    ok $? "and -i n1, while either NIC answers for both addresses"
    for h in h0 h1; do
        ip netns exec $h sh -c 'for f in /proc/sys/net/ipv4/conf/*/arp_ignore; do echo 1 >$f; done' || true
        ip -n $h neigh flush all
    done
    keeps_to_n1
    ok $? "and n1 alone, where each answers for itself"
    uses_both
    ok $? "and both"

    ip -n h0 addr add "$PERF_NET.0.77/24" dev n0
    ip netns exec h0 nft add table ip nat
    ip netns exec h0 nft add chain ip nat out '{ type nat hook postrouting priority 100; }'
    ip netns exec h0 nft add rule ip nat out ip saddr "$PERF_NET.0.1" oifname n0 tcp dport != 22 snat to "$PERF_NET.0.77"
    job -i "$PERF_NET.0.0/29"
    works_silently
    ok $? "one host's addresses are translated"
    ip netns exec h1 nft add table ip nat
    ip netns exec h1 nft add chain ip nat out '{ type nat hook postrouting priority 100; }'
    ip netns exec h1 nft add rule ip nat out ip saddr "$PERF_NET.0.2" oifname n0 masquerade random
    job -i "$PERF_NET.0.0/29"
    works_silently
    ok $? "both hosts' are"
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
exec "$here/../support/netns" -b -i 2 "$0" --inside
