#!/bin/bash
# perftest: every tool, service, size and switch that people use.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

N=$(few 100 5)
SIZES="1 2 8 33 64 1024 1025 4096 4097 65536 1048576 8388608"

# rounds SIZE: fewer of the large ones; bandwidth tools want at least 5.
rounds() {
	local n=$((N * 65536 / ($1 + 4096)))
	echo $((n < 5 ? 5 : n > N ? N : n))
}

# sizes TOOL [ARG...]
sizes() {
	local tool=$1 size
	shift
	for size in $SIZES; do
		case "$tool $*" in
		*"-c UD"*) [ "$size" -le 1024 ] || continue ;;
		esac
		if is_slow && [ "$size" -gt 1048576 ]; then continue; fi
		perftest "$tool" -s "$size" -n "$(rounds "$size")" "$@"
	done
}

# one TOOL [ARG...]: at perftest's own size.
one() {
	perftest "$1" -n "$N" "${@:2}"
}

# With -R the connection is made by rdma_cm.
cm() {
	one "$1" -R "${@:2}"
}

use dummy
for tool in ib_write_bw ib_read_bw ib_send_bw ib_write_lat ib_read_lat ib_send_lat; do
	plan "$tool, RC, all sizes" sizes "$tool"
done
for tool in ib_write_bw ib_send_bw ib_write_lat ib_send_lat; do
	plan "$tool, UC, all sizes" sizes "$tool" -c UC
done
plan "ib_send_bw, UD, all sizes" sizes ib_send_bw -c UD
plan "ib_send_lat, UD, all sizes" sizes ib_send_lat -c UD
for op in FETCH_AND_ADD CMP_AND_SWAP; do
	plan "ib_atomic_bw, $op" one ib_atomic_bw -A "$op"
	plan "ib_atomic_lat, $op" one ib_atomic_lat -A "$op"
done
for tool in ib_write_bw ib_read_bw ib_send_bw ib_atomic_bw; do
	plan "$tool, 8 QPs" one "$tool" -q 8
	plan "$tool, both directions" one "$tool" -b
	plan "$tool, rdma_cm" cm "$tool"
done
for tool in ib_write_lat ib_read_lat ib_send_lat ib_atomic_lat; do
	plan "$tool, rdma_cm" cm "$tool"
done
plan "ib_send_bw, UD, rdma_cm" cm ib_send_bw -c UD -s 1024
plan "ib_send_bw, UD, 4 QPs" one ib_send_bw -c UD -s 1024 -q 4
plan "ib_send_bw with events" one ib_send_bw -e
plan "ib_read_bw with events" one ib_read_bw -e
plan "ib_atomic_bw with events" one ib_atomic_bw -e
plan "ib_read_lat with events" one ib_read_lat -e
plan "ib_send_lat with events" one ib_send_lat -e
plan "ib_write_bw, lists of 32" perftest ib_write_bw -s 8 -l 32 -n 640
plan "ib_send_bw, lists of 16 both ways" perftest ib_send_bw -l 16 --recv_post_list=16 -n 64
plan "ib_send_bw, SRQ" one ib_send_bw --use-srq -q 4
plan "ib_send_bw, inline" one ib_send_bw -s 64 -I 64
plan "ib_write_lat, inline" one ib_write_lat -s 64 -I 64
plan "ib_write_bw, path MTU 256" one ib_write_bw -m 256
plan "ib_read_bw, one READ at a time" one ib_read_bw -o 1
plan "ib_write_bw, CQE of every 10th" one ib_write_bw -Q 10
plan "ib_write_bw, traffic class" one ib_write_bw --tclass=104
plan "ib_write_bw, one second" perftest ib_write_bw -D 1
if ! is_slow; then
	for tool in ib_write_bw ib_read_bw ib_send_bw; do
		plan "$tool -a" perftest "$tool" -a -n 5
	done
fi
run_plan
