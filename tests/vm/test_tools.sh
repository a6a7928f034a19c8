#!/bin/bash
# The programs of rdma-core, on one device: pingpongs and librdmacm's.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

N=$(few 200 10)

pingpong_sizes() {
	local type=$1 size
	shift
	for size in 1 33 1024 1025 4096 4097 65536; do
		case $type in ud) [ "$size" -le 1024 ] || continue ;; esac
		pingpong "$type" -c -n "$N" -s "$size" "$@"
	done
}

big_pingpong() {
	pingpong "$1" -c -n "$(few 5 2)" -s 8388608
}

rping_sizes() {
	local size
	for size in 64 1025 65000; do
		rping_pair "$1" -C "$(few 50 5)" -S "$size"
	done
}

# Many clients of one persistent server, one after the other.
rping_persistent() {
	local port i
	port=$(next_port)
	serve "$port" rping -s -P -a "$IP_A" -p "$port" -V
	for ((i = 0; i < $(few 10 2); i++)); do
		run "${B[@]}" rping -c -a "$IP_A" -p "$port" -V -C 5
	done
	bg_stop server
}

# cm_pair PORT TOOL [ARG...]: for those that have a port of their own.
cm_pair() {
	local port=$1 tool=$2
	shift 2
	serve "$port" "$tool" -b "$IP_A" "$@"
	run "${B[@]}" "$tool" -s "$IP_A" "$@"
	bg_ok server
}

rdma_server_client() {
	local i
	for i in 1 2 3; do
		serve 7471 rdma_server -p 7471
		run "${B[@]}" rdma_client -s "$IP_A" -p 7471
		bg_ok server
	done
}

rcopy_file() {
	local size=$1 port
	port=$(next_port)
	head -c "$size" /dev/urandom >"$WORK/sent"
	serve "$port" rcopy -p "$port"
	run "${B[@]}" rcopy "$WORK/sent" "$IP_A:$WORK/received" -p "$port"
	bg_stop server
	run cmp "$WORK/sent" "$WORK/received"
	rm -f "$WORK/sent" "$WORK/received"
}

rstream_verify() {
	local port size
	for size in 64 1025 65536; do
		port=$(next_port)
		serve "$port" rstream -b "$IP_A" -p "$port" -S "$size" -T v "$@" \
			-I 20 -C 5
		run "${B[@]}" rstream -s "$IP_A" -p "$port" -S "$size" -T v "$@" \
			-I 20 -C 5
		bg_ok server
	done
}

mckey_pair() {
	bg server "${A[@]}" stdbuf -oL mckey -m 239.1.1.1 -b "$IP_A" -C 10
	until_true 10 joined server
	run "${B[@]}" mckey -m 239.1.1.1 -b "$IP_B" -s -C 10
	bg_ok server
}

joined() {
	grep -q 'joined\|receiving data' "$WORK/$1.out"
}

cm_tests() {
	plan "$1: rping, IPv4" rping_sizes "$IP4"
	plan "$1: rping, IPv6" rping_sizes "$IP6"
	plan "$1: rping, persistent server" rping_persistent
	plan "$1: ucmatose" cm_pair 7471 ucmatose -c 4 -C 20 -S 1000
	plan "$1: udaddy" cm_pair 7174 udaddy -c 2 -C 20
	plan "$1: rdma_server, rdma_client" rdma_server_client
	plan "$1: rcopy, 1 byte" rcopy_file 1
	plan "$1: rcopy, 9 MB" rcopy_file 9000001
	plan "$1: rstream, data verified" rstream_verify
}

IP4=10.7.0.1 IP6=fd07::1
use dummy
for type in rc uc ud srq; do
	plan "ibv_${type}_pingpong, data checked" pingpong_sizes "$type"
	plan "ibv_${type}_pingpong with events" pingpong_sizes "$type" -e
done
plan "ibv_rc_pingpong, 8 MiB" big_pingpong rc
plan "ibv_uc_pingpong, 8 MiB" big_pingpong uc
plan "ibv_srq_pingpong, 16 QPs" pingpong srq -c -q 16 -n "$((N * 4))"
for mtu in 256 512 1024; do
	plan "ibv_rc_pingpong, MTU $mtu" pingpong rc -c -m "$mtu" -s 10000 -n "$N"
done
cm_tests "one device"
plan "one device: rstream, blocking" rstream_verify -T b
plan "one device: mckey, multicast" mckey_pair
use lo
plan "lo: ibv_rc_pingpong" pingpong_sizes rc
plan "lo: ibv_ud_pingpong" pingpong_sizes ud
IP4=10.9.0.1 IP6=fd09::1
use tun
plan "tun: rping" rping_sizes 10.9.0.1
plan "tun: ibv_rc_pingpong" pingpong_sizes rc
run_plan
