#!/bin/bash
# What tcpdump sees is what was sent: every packet, local ones too, well formed,
# once, with the right ICRC, and read alike by tshark and scapy.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

# sniff DEV CMD...: a capture of CMD's packets in $WORK/pcap. It ends when the
# file has stopped growing.
sniff() {
	local dev=$1 where=()
	shift
	if [ "$dev" = veth0 ]; then where=("${A[@]}"); fi
	bg tcpdump "${where[@]}" tcpdump -i "$dev" --immediate-mode -s 9300 -B 65536 -U -w "$WORK/pcap" \
		udp port 4791
	until_true 20 grep -q 'listening on' "$WORK/tcpdump.out"
	"$@"
	until_true 20 at_rest
	kill -INT "${BG[tcpdump]}"
	bg_ok tcpdump
	cat "$WORK/tcpdump.out"
	if grep -q '[1-9][0-9]* packets dropped by kernel' "$WORK/tcpdump.out"; then
		fail "tcpdump could not follow"
	fi
}

at_rest() {
	local before
	before=$(stat -c %s "$WORK/pcap")
	sleep 0.3
	[ "$(stat -c %s "$WORK/pcap")" = "$before" ]
}

check() {
	run python3 "$VM_TESTS/check_capture" "$@" "$WORK/pcap"
}

group() {
	verbs_check -s "${TEST_SEED:-$RANDOM}" "$@"
}

# SEND, SEND_IMM, WRITE, WRITE_IMM, READ in one and in several packets, ACK.
rc_ops() {
	sniff "$1" group -t rc-mix
	check --tshark --want 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
}

rc_atomics() {
	sniff "$1" group -t rc-atomic
	check --tshark --scapy --want 0x12,0x13,0x14
}

rc_inv() {
	sniff "$1" group -t rc-inv
	check --tshark --want 0x17
}

odd_sizes() {
	sniff "$1" group -t rc-send,rc-write -S 1,2,3,33,1025,4097
	check --tshark
}

uc_ops() {
	sniff "$1" group -t uc -S 0,1,33,1025,4097,15000
	check --tshark --want 0x20,0x22,0x24,0x25,0x26,0x27,0x28,0x2a,0x2b
}

ud_ops() {
	sniff "$1" group -t ud -S 0,1,33,64,1000
	check --tshark --scapy --want 0x64,0x65
}

ipv6() {
	GID_A=$GID6_A GID_B=$GID6_B
	sniff "$1" group -t rc-mix,ud -S 1,33,1000
	check --tshark --want 4,12,17,0x64
}

connection() {
	sniff "$1" rping_pair "$IP_A" -C 3
	check --tshark --text rdma-ping-2 --want 0x64
}

# A tap that comes and goes does not disturb the traffic.
tap_comes_and_goes() {
	local dev=$1 i
	bg traffic "$BIN/verbs_check" -d rxe0 -g "$GID_A" -t rc-mix,rc-read,uc \
		-l 20 -S 1,4097,65537
	for ((i = 0; i < 5; i++)); do
		timeout 1 tcpdump -i "$dev" -c 20 -w "$WORK/tap" udp port 4791 || true
	done
	bg_ok traffic
}

# What the interface's own counters and ours say.
counts() {
	local before after
	before=$(counter rxe0 sent_pkts)
	sniff "$1" group -t rc-send -S 1,33
	after=$(counter rxe0 sent_pkts)
	echo "sent_pkts went up by $((after - before))"
	[ $((after - before)) -gt 0 ]
	check
}

on() {
	local dev=$1 name=$2
	plan "$name: RC" rc_ops "$dev"
	plan "$name: atomics" rc_atomics "$dev"
	plan "$name: odd sizes" odd_sizes "$dev"
	plan "$name: UC" uc_ops "$dev"
	plan "$name: UD" ud_ops "$dev"
	plan "$name: IPv6" ipv6 "$dev"
}

use veth
on veth0 veth
plan "veth: a connection, rping" connection veth0
plan "veth: SEND with invalidate" rc_inv veth0
use dummy
on t-dummy "local traffic, dummy"
plan "local traffic, dummy: a connection, rping" connection t-dummy
plan "local traffic, dummy: counters" counts t-dummy
plan "local traffic, dummy: SEND with invalidate" rc_inv t-dummy
plan "local traffic, dummy: a tap comes and goes" tap_comes_and_goes t-dummy
use lo
on lo "local traffic, lo"
use stack
plan "through the stack, lo: RC" rc_ops lo
plan "through the stack, lo: UD" ud_ops lo
use tun
plan "local traffic, tun: RC" rc_ops tun0
run_plan
