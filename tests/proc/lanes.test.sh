#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Messages of all sizes and patterns over several interfaces of limited rate, equal ones and not: the content is right, the
# job ends, and at its end, whatever was learned before, long messages use every interface. TAP. Needs root or user namespaces
# and iproute2.
set -u
here=$(cd "$(dirname "$0")" && pwd)
builddir=${builddir:-$PWD}

ok()
{
    if [ "$1" -eq 0 ]; then echo "ok - $2"; else echo "not ok - $2" && sed 's/^/# /' "$PERF_DIR/out" "$PERF_DIR/err"; fi
}

# Extra words are mpirun's.
job()
{
    timeout 300 "$builddir/mpirun" -rsh "$PERF_RSH" -host h0,h1 -n 2 -tcpsilent 20000 -v "$@" "$builddir/tests/proc/pt2pt/lanes" bulk \
        >"$PERF_DIR/out" 2>"$PERF_DIR/err" </dev/null
}

# Of the bytes that rank $1 has sent, how many of a thousand went by each lane, in the order of the interfaces.
shares()
{
    sed -nE "s/^hawser: rank $1: lane (n[0-9]) .*: (up|down), ([0-9]+) bytes and .*/\1 \3/p" "$PERF_DIR/err" | sort |
        awk '{name[NR] = $1; bytes[NR] = $2; sum += $2} END {for (i = 1; i <= NR; i++) printf "%d ", bytes[i] * 1000 / sum}'
}

# Every one of $2 lanes of rank $1 has carried $3 of a thousand at least.
all_carry()
{
    local n=0 share
    for share in $(shares "$1"); do
        n=$((n + 1))
        [ "$share" -ge "$3" ] || return 1
    done
    [ $n -eq "$2" ]
}

fast_carries_more()
{
    set -- $(shares "$1")
    [ "$1" -gt "$2" ]
}

inside()
{
    job
    ok $? "$1: what was sent is what came"
    if [ "$1" = "1gbit,250mbit" ]; then
        all_carry 0 2 20 && all_carry 1 2 20 && fast_carries_more 0 && fast_carries_more 1
    else
        all_carry 0 4 60 && all_carry 1 4 60
    fi
    ok $? "$1: long messages use all lanes: $(shares 0)and $(shares 1)of 1000"
}

if [ "${1:-}" = --inside ]; then
    inside "$2"
    exit 0
fi
for tool in ip tc unshare; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
"$here/../support/netns" true 2>/dev/null || { echo "1..0 # SKIP namespaces may not be made here"; exit 0; }
"$here/../support/netns" -i 4 -r 1gbit,1gbit,1gbit,1gbit "$0" --inside 1gbit,1gbit,1gbit,1gbit
"$here/../support/netns" -i 2 -r 1gbit,250mbit "$0" --inside 1gbit,250mbit
echo "1..4"
