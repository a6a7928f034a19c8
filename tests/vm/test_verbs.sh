#!/bin/bash
# Every operation with its data checked byte by byte, guard bytes around it,
# and the status of every completion (src/verbs_check.c).
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

SHORT=0,1,7,33,1025,4096,4097,65537
if is_slow; then SIZES=$SHORT; else SIZES=; fi

# group NAME [ARG...]
group() {
	local name=$1
	shift
	verbs_check -t "$name" -s "${TEST_SEED:-$RANDOM}" ${SIZES:+-S "$SIZES"} "$@"
}

over_ipv6() {
	GID_A=$GID6_A GID_B=$GID6_B
	group "$@"
}

OPS="rc-send rc-write rc-read rc-inline rc-atomic rc-mix rc-fence rc-inv
	rc-solicited srq uc ud uc-numbered ud-numbered"
ERRORS="err-remote err-local err-recv err-lost err-states err-posts err-ud
	err-attrs err-events"

use dummy
for g in $OPS $ERRORS; do plan "one device: $g" group "$g"; done
for g in rc-send rc-read srq ud; do
	plan "one device, with events: $g" group "$g" -e
done
for mtu in 256 512 2048 4096; do
	plan "one device, path MTU $mtu" group rc-mix,rc-read,uc -m "$mtu" -S "$SHORT"
done
plan "one device, IPv6" over_ipv6 rc-mix,ud,srq
use two
for g in rc-mix rc-send,rc-write,rc-read ud,uc err-remote,err-recv,err-lost; do
	plan "two devices: $g" group "$g" -S "$SHORT"
done
plan "two devices, IPv6" over_ipv6 rc-mix,ud -S "$SHORT"
use stack
for g in $OPS err-remote err-local err-recv err-lost err-ud; do
	plan "one device, through the stack: $g" group "$g" -S "$SHORT"
done
use lo
plan "lo" group rc-send,rc-write,rc-read,ud,err-recv -S "$SHORT"
use tun
plan "tun" group rc-send,rc-write,rc-read,ud -S "$SHORT"
run_plan
