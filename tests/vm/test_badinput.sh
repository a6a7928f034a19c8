#!/bin/bash
# Bad input: packets, attributes and commands that nobody should send. Each is
# refused or dropped and counted, and the kernel log stays silent.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

# Side B plays the peer, with no link of its own.
links_raw() {
	links_veth 1500
	rxe_del rxe1
	run "${B[@]}" ethtool -K veth1 tx off rx off
}

packets() {
	local target=("${A[@]}" "$BIN/raw_target" rxe0 "$GID_A" "::ffff:$IP_B")
	RUN_SECS=120 run "${B[@]}" python3 "$VM_TESTS/bad_packets" \
		"$(secs 1)" "$(few 5000 500)" "${TEST_SEED:-$RANDOM}" \
		"$IP_B" "$IP_A" "${target[@]}" | tee "$WORK/said"
	grep counted "$WORK/said" >>"$WORK/notes" || true
	run "${A[@]}" rdma statistic show link rxe0/1
	klog_quiet
}

# Verbs with impossible attributes, posts that fail, peers that do not exist.
group() {
	verbs_check -t "$1"
	klog_quiet
}

commands() {
	local args
	for args in "add rxe0 type rxe netdev t-none" \
		"add rxe0 type nosuch netdev t-dummy" \
		"add rxe0 type rxe netdev t-dummy" "delete nosuch" \
		"add rxe1 type rxe netdev t-dummy"; do
		# shellcheck disable=SC2086 # words
		refused . rdma link $args
	done
	klog_quiet
}

# To a link that exists, from a program without privileges.
unprivileged() {
	run chmod 666 /dev/infiniband/uverbs0
	run setpriv --reuid 65534 --regid 65534 --clear-groups \
		--inh-caps=-all --bounding-set=-all \
		"$BIN/verbs_check" -d rxe0 -g "$GID_A" -t rc-send,ud -S 1,4097
	klog_quiet
}

use raw
plan "packets from nobody" packets
use dummy
for g in err-attrs err-posts err-states err-lost err-remote err-local err-recv; do
	plan "$g, and nothing in the kernel log" group "$g"
done
plan "rdma link, impossible arguments" commands
plan "a user without privileges" unprivileged
run_plan
