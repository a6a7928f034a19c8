#!/bin/bash
# Two namespaces and a veth pair: real packets, both address families, the
# usual and the large MTU.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

N=$(few 100 5)
SHORT=0,1,7,33,1025,4096,4097,65537

group() {
	verbs_check -t "$1" -s "${TEST_SEED:-$RANDOM}" "${@:2}"
}

over_ipv6() {
	GID_A=$GID6_A GID_B=$GID6_B
	group "$@"
}

devices_apart() {
	[ "$(sockets "${A[@]}")" = 2 ] || fail "side A has no pair of sockets"
	[ "$(sockets "${B[@]}")" = 2 ] || fail "side B has no pair of sockets"
	run "${A[@]}" rdma link show
}

# Packets really cross: the interface counts them.
crosses() {
	local before after
	before=$("${B[@]}" cat /sys/class/net/veth1/statistics/tx_bytes)
	perftest ib_write_bw -n "$N"
	after=$("${B[@]}" cat /sys/class/net/veth1/statistics/tx_bytes)
	echo "veth1 sent $((after - before)) bytes"
	[ $((after - before)) -gt $((N * 65536)) ]
}

# What one side sent is what the other received, and nothing came twice.
counters_agree() {
	counts_of >"$WORK/before"
	perftest ib_write_bw -n "$N"
	perftest ib_send_bw -n "$N" -s 1000
	counts_of >"$WORK/after"
	paste "$WORK/before" "$WORK/after" | awk '
		{ delta[$1] = $4 - $2; print $1, $4 - $2 }
		END {
			exit !(delta["sent"] > 0 && delta["sent"] == delta["rcvd"] &&
				delta["back"] == delta["got"] &&
				delta["again"] == 0 && delta["order"] == 0)
		}' || fail "the two sides count differently"
}

counts_of() {
	echo "sent $(counter rxe1 sent_pkts)"
	echo "rcvd $(counter rxe0 rcvd_pkts)"
	echo "back $(counter rxe0 sent_pkts)"
	echo "got $(counter rxe1 rcvd_pkts)"
	echo "again $(counter rxe0 duplicate_request)"
	echo "order $(counter rxe0 out_of_seq_request)"
}

rping_sizes() {
	local size
	for size in 64 1025 65000; do
		rping_pair "$1" -C "$(few 50 5)" -S "$size"
	done
}

pingpongs() {
	local type
	for type in rc uc srq; do
		pingpong "$type" -c -n "$N" -s 10000
	done
	pingpong ud -c -n "$N" -s 1000
}

tools() {
	local tool
	for tool in ib_write_bw ib_read_bw ib_send_bw ib_atomic_bw ib_write_lat \
		ib_read_lat ib_send_lat; do
		perftest "$tool" -n "$N"
	done
	perftest ib_send_bw -c UD -s 1024 -n "$N"
	perftest ib_write_bw -c UC -n "$N"
	perftest ib_write_bw -b -q 4 -n "$N"
	perftest ib_write_bw -R -n "$N"
	perftest ib_send_bw -R -e -n "$N"
	perftest ib_read_bw -s 8388608 -n 5
	perftest ib_write_bw -s 8388608 -n 5
}

rcopy_file() {
	local port
	port=$(next_port)
	head -c 3000001 /dev/urandom >"$WORK/sent"
	serve "$port" rcopy -p "$port"
	run "${B[@]}" rcopy "$WORK/sent" "$IP_A:$WORK/received" -p "$port"
	bg_stop server
	run cmp "$WORK/sent" "$WORK/received"
}

# The peer's interface goes away under traffic: the client ends by itself.
peer_lost() {
	local port
	port=$(next_port)
	BG_SECS=60 serve "$port" ib_write_bw -d rxe0 -x "$GID_A" -p "$port" -F \
		-D 30 -u 10
	bg client "${B[@]}" ib_write_bw -d rxe1 -x "$GID_B" -p "$port" -F \
		-D 30 -u 10 "$IP_A"
	until_true 10 traffic
	run "${A[@]}" ip link del veth0
	links_used_up
	until_true 20 link_gone rxe0
	until_true 20 link_gone rxe1 || true
	bg_stop client
	bg_stop server
}

traffic() {
	[ "$(counter rxe1 sent_pkts)" -gt 100 ]
}

for mtu in 1500 9000; do
	use veth "$mtu"
	plan "MTU $mtu: links and sockets in two namespaces" devices_apart
	plan "MTU $mtu: packets cross the wire" crosses
	plan "MTU $mtu: counters agree" counters_agree
	for g in rc-send rc-write rc-read rc-inline rc-atomic rc-mix rc-fence \
		rc-inv rc-solicited srq uc ud; do
		plan "MTU $mtu: $g" group "$g" -S "$SHORT,1048577"
	done
	for g in err-remote err-local err-recv err-lost err-ud; do
		plan "MTU $mtu: $g" group "$g"
	done
	plan "MTU $mtu: numbered UC and UD" group uc-numbered,ud-numbered
	plan "MTU $mtu: IPv6" over_ipv6 rc-mix,rc-read,ud,err-recv -S "$SHORT"
	plan "MTU $mtu: path MTU 256" group rc-mix,rc-read,uc -m 256 -S "$SHORT"
	plan "MTU $mtu: with events" group rc-mix,srq,ud -e -S "$SHORT"
	plan "MTU $mtu: pingpongs" pingpongs
	plan "MTU $mtu: rping, IPv4" rping_sizes 10.8.0.1
	plan "MTU $mtu: rping, IPv6" rping_sizes fd08::1
	plan "MTU $mtu: rcopy" rcopy_file
	plan "MTU $mtu: perftest" tools
done
use vlan
plan "VLAN: verbs" group rc-mix,rc-read,ud,uc,err-remote -S "$SHORT"
plan "VLAN: verbs, IPv6" over_ipv6 rc-mix,ud -S "$SHORT"
plan "VLAN: rping" rping_sizes 10.5.0.1
plan "VLAN: ib_send_bw" perftest ib_send_bw -n "$N"
use veth
plan "the interface goes away under traffic" peer_lost
run_plan
