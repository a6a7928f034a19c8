#!/bin/bash
# Every operation over a link that loses, doubles, swaps and spoils packets:
# the reliable ones lose nothing, the others deliver nothing that is wrong.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

N=$(few 100 5)
SIZES=0,1,33,1025,4097,65537
if ! is_slow; then SIZES+=,1048577; fi
export RUN_SECS=240 BG_SECS=240

# The local ACK timeout is 4.096 us << 12 = 17 ms here.
group() {
	verbs_check -t "$1" -s "${TEST_SEED:-$RANDOM}" -u 12 -T "$(secs 60)" \
		--loss -S "$SIZES" "${@:2}"
}

# What really was lost, so that a test of nothing is not passed.
lost_some() {
	local drops
	drops=$("${B[@]}" tc -s qdisc show dev veth1 |
		sed -n 's/.*dropped \([0-9]*\).*/\1/p')
	echo "netem dropped $drops packets of side B"
	[ "$drops" -gt 0 ]
}

tool() {
	perftest "$@" -n "$N" -u 12
}

netem() {
	run "${A[@]}" tc qdisc replace dev veth0 root netem "$@" limit 20000
	run "${B[@]}" tc qdisc replace dev veth1 root netem "$@" limit 20000
	links_used_up
	group rc-mix,rc-read,rc-atomic,rc-send
}

use lossy 1
for g in rc-send rc-write rc-read rc-inline rc-atomic rc-mix rc-fence srq \
	uc-numbered ud-numbered; do
	plan "1 % loss: $g" group "$g"
done
for t in ib_write_bw ib_read_bw ib_send_bw ib_atomic_bw; do
	plan "1 % loss: $t" tool "$t"
done
plan "1 % loss: ib_write_bw, 8 MiB" perftest ib_write_bw -s 8388608 -n 5 -u 12
plan "1 % loss: ib_read_bw, 8 MiB" perftest ib_read_bw -s 8388608 -n 5 -u 12
plan "1 % loss: rping" rping_pair 10.8.0.1 -C "$(few 50 5)" -S 10000
plan "1 % loss: packets were lost" lost_some
use lossy 1 9000
plan "1 % loss, MTU 9000" group rc-mix,rc-read,rc-send,rc-write
use lossy 5
plan "5 % loss" group rc-mix,rc-atomic
use lossy 0
plan "reordering" netem delay 1ms reorder 75% 50%
plan "duplicates" netem duplicate 5%
plan "corruption" netem corrupt 1%
plan "all of it" netem delay 1ms 1ms loss 1% duplicate 1% corrupt 0.5% reorder 50%
run_plan
