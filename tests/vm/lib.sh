# shellcheck shell=bash
# What the test files in this folder share. They run inside a guest, as root,
# with the module loaded:
#
#	. "$(dirname "$0")/lib.sh"
#	use veth 9000					the links they need
#	plan "what is tested" function [ARG...]		any number of these
#	run_plan
#
# A test function runs in a subshell under "set -e": the first command that
# fails ends it, and its whole output, commands included, is shown. `skip
# REASON` ends it as skipped. Processes that it started with `bg` are ended.
# Links are made when the first test that uses them runs, and anew after a
# test that failed or called `links_used_up`.

VM_TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$VM_TESTS/../.." && pwd)
# shellcheck source=scripts/lib/klog.sh
. "$TOP/scripts/lib/klog.sh"

# The programs of src/, built with this guest's libraries.
# shellcheck source=/dev/null
BIN=$VM_TESTS/.build/$(. /etc/os-release && echo "$VERSION_CODENAME")
WORK=$(mktemp -d /tmp/vm-test.XXXXXX)
SKIP_STATUS=4

# ---- How slow this guest is ----------------------------------------------

guest_factor() {
	case ${VM_KERNEL-} in
	uml) echo 1 ;;
	uml-debug) echo 12 ;;
	*) if grep -q TCG /proc/cpuinfo; then echo 10; else echo 1; fi ;;
	esac
}
SLOW=${TEST_SLOW:-$(guest_factor)}

# secs N: N seconds of a fast machine.
secs() {
	echo $(($1 * SLOW))
}

# few N [MIN]: N rounds on a fast machine, fewer on a slow one.
few() {
	local n=$(($1 / SLOW))
	local min=${2:-1}
	echo $((n > min ? n : min))
}

is_slow() {
	[ "$SLOW" -gt 1 ]
}

# ---- KTAP ----------------------------------------------------------------

PLAN_NAMES=()
PLAN_CALLS=()
PLAN_LINKS=()
FAILED=0
LINKS=none

# use LINKS [ARG...]: what the tests planned from here on stand on (links.sh).
use() {
	LINKS=$*
}

plan() {
	PLAN_NAMES+=("$1")
	PLAN_LINKS+=("$LINKS")
	shift
	PLAN_CALLS+=("$(printf '%q ' "$@")")
}

skip() {
	echo "$*" >"$WORK/skipped"
	exit "$SKIP_STATUS"
}

# note TEXT: shown whether the test passes or not.
note() {
	echo "$*" | tee -a "$WORK/notes"
}

# fail TEXT: end the test with a reason.
fail() {
	echo "FAILED: $*"
	exit 1
}

# klog_mark KIND TEXT: KIND is test (one begins) or links (they are there).
klog_mark() {
	echo "vm-test: $*" >/dev/kmsg
}

# klog_since KIND: what the kernel said since the last mark of this kind.
klog_since() {
	dmesg | tac | sed "/vm-test: $1/q" | tac | sed 1d
}

# Lines of other parts of the kernel, which a test or a peer provokes.
KLOG_OTHERS='link becomes ready|(entered|left) (promiscuous|allmulticast) mode'
KLOG_OTHERS+='|speed is unknown|MAD received with unsupported'

# klog_quiet: not a word of ours since the links were made.
klog_quiet() {
	local lines
	lines=$(klog_since links | grep -vE "$KLOG_OTHERS") || return 0
	echo "new lines in the kernel log:"
	echo "$lines"
	return 1
}

# test_body LINKS CALL
test_body() {
	trap 'bg_end' EXIT
	set -eEuo pipefail
	trap 'echo "(status $?: $BASH_COMMAND)"' ERR
	links_ready "$1"
	# shellcheck source=/dev/null
	. "$WORK/sides"
	klog_mark links are ready
	eval "$2"
}

# one_test N: its verdict in KTAP, with all its output if it failed.
one_test() {
	local n=$1 rc log=$WORK/log start=$SECONDS bad
	local name=${PLAN_NAMES[$1]}
	rm -f "$WORK/skipped" "$WORK/notes"
	klog_mark test "${0##*/}: $name"
	(test_body "${PLAN_LINKS[$n]}" "${PLAN_CALLS[$n]}") </dev/null >"$log" 2>&1
	rc=$?
	bad=$(klog_since test | grep -aE "$KLOG_BAD")
	if [ "$rc" = 0 ] && [ -n "$bad" ]; then
		rc=125
		klog_since test >>"$log"
	fi
	case $rc in
	0 | "$SKIP_STATUS") ;;
	*) links_used_up ;;
	esac
	[ ! -s "$WORK/notes" ] || grep . "$WORK/notes" | sed 's/^/# /' "$WORK/notes"
	case $rc in
	0) echo "ok $((n + 1)) $name # time=$((SECONDS - start))s" ;;
	"$SKIP_STATUS") echo "ok $((n + 1)) $name # SKIP $(cat "$WORK/skipped")" ;;
	*)
		tail -n "${TEST_LINES:-60}" "$log" | sed 's/^/# /'
		echo "not ok $((n + 1)) $name # status $rc, time=$((SECONDS - start))s"
		;;
	esac
	[ "$rc" = 0 ] || [ "$rc" = "$SKIP_STATUS" ] || FAILED=$((FAILED + 1))
}

# run_plan: all of it, or what TEST_ONLY (a regular expression) picks.
run_plan() {
	local i
	echo "KTAP version 1"
	echo "1..${#PLAN_NAMES[@]}"
	net_reset
	for i in "${!PLAN_NAMES[@]}"; do
		if [[ ! ${PLAN_NAMES[$i]} =~ ${TEST_ONLY:-.} ]]; then
			echo "ok $((i + 1)) ${PLAN_NAMES[$i]} # SKIP not in TEST_ONLY"
			continue
		fi
		# Not in a condition: "set -e" would mean nothing in the test then.
		one_test "$i"
	done
	net_reset
	rm -rf "$WORK"
	[ "$FAILED" = 0 ]
	exit
}

# ---- Commands ------------------------------------------------------------

# run CMD...: say it, run it, within a minute of a fast machine.
run() {
	echo "\$ $*"
	within "${RUN_SECS:-60}" "$@"
}

# within SECS CMD...: for functions too, which `timeout` does not know.
within() {
	local limit rc=0
	limit=$(secs "$1")
	shift
	if [ "$(type -t "$1")" = function ]; then
		"$@"
		return
	fi
	timeout -k 5 "$limit" "$@" || rc=$?
	if [ "$rc" = 124 ]; then
		echo "(no end after $limit s)"
	fi
	return "$rc"
}

# refused ERRNO-TEXT CMD...: it has to fail, and for that reason.
refused() {
	local want=$1 out rc=0
	shift
	echo "\$ $*     (to be refused: $want)"
	out=$(timeout "$(secs 30)" "$@" 2>&1) || rc=$?
	echo "$out"
	[ "$rc" != 0 ] || fail "succeeded, but should have been refused: $*"
	grep -qiE "$want" <<<"$out" || fail "refused, but not with '$want'"
}

# until_true SECS CMD...: poll; the deadline is a fast machine's.
until_true() {
	local end=$((SECONDS + $(secs "$1")))
	shift
	until "$@" >/dev/null 2>&1; do
		if [ "$SECONDS" -ge "$end" ]; then
			echo "waited in vain for: $*"
			return 1
		fi
		sleep 0.05
	done
}

has() {
	grep -qE -- "$1" <<<"$2"
}

# ---- Background processes --------------------------------------------------

declare -A BG=()

# bg NAME CMD...: its output goes to $WORK/NAME.out.
bg() {
	local name=$1
	shift
	echo "\$ $* &     ($name)"
	# What the last one of that name said is no sign of this one.
	: >"$WORK/$name.out"
	timeout -k 5 "$(secs "${BG_SECS:-60}")" "$@" >"$WORK/$name.out" 2>&1 &
	BG[$name]=$!
}

# bg_ok NAME: it ends by itself, and well.
bg_ok() {
	local name=$1 rc=0
	wait "${BG[$name]}" || rc=$?
	unset "BG[$name]"
	if [ "$rc" != 0 ]; then
		echo "$name ended with status $rc:"
		cat "$WORK/$name.out"
		return 1
	fi
}

bg_alive() {
	kill -0 "${BG[$1]}" 2>/dev/null
}

# bg_stop NAME: end it; how does not matter.
bg_stop() {
	[ -n "${BG[$1]-}" ] || return 0
	kill "${BG[$1]}" 2>/dev/null || true
	wait "${BG[$1]}" 2>/dev/null || true
	unset "BG[$1]"
}

# At the end of every test: what still runs is shown and ended.
bg_end() {
	local rc=$? name
	set +e
	for name in "${!BG[@]}"; do
		if [ "$rc" != 0 ] && [ "$rc" != "$SKIP_STATUS" ]; then
			echo "output of $name, which still runs:"
			cat "$WORK/$name.out"
		fi
		bg_stop "$name"
	done
	return 0
}

# ---- Servers and clients -----------------------------------------------------

# The two sides of a test, A and B: how to run a command there, its device, its
# GID index (IPv4, IPv6), its addresses. Set by links.sh.
SIDES="A B DEV_A DEV_B GID_A GID_B GID6_A GID6_B IP_A IP_B IP6_A IP6_B"
for _name in $SIDES; do declare "$_name="; done
A=() B=()

next_port() {
	local port
	port=$(cat "$WORK/port" 2>/dev/null || echo 18600)
	echo $((port + 1)) >"$WORK/port"
	echo "$port"
}

tcp_listens() {
	[ -n "$("${A[@]}" ss -Hltn "sport = :$1")" ]
}

cm_listens() {
	rdma resource show cm_id | grep -qE "state LISTEN.*src-addr [^ ]*:$1( |\$)"
}

server_is_up() {
	bg_alive server && { tcp_listens "$1" || cm_listens "$1"; }
}

# serve PORT CMD...: start a server on side A, wait until it listens.
serve() {
	local port=$1
	shift
	bg server "${A[@]}" "$@"
	if ! until_true 20 server_gone_or_up "$port" || ! bg_alive server; then
		echo "the server does not listen on port $port:"
		cat "$WORK/server.out"
		return 1
	fi
}

server_gone_or_up() {
	! bg_alive server || server_is_up "$1"
}

# pingpong TYPE [ARG...]: ibv_TYPE_pingpong between the sides.
pingpong() {
	local tool=ibv_$1_pingpong port
	shift
	port=$(next_port)
	serve "$port" "$tool" -d "$DEV_A" -g "$GID_A" -p "$port" "$@"
	run "${B[@]}" "$tool" -d "$DEV_B" -g "$GID_B" -p "$port" "$@" "$IP_A"
	bg_ok server
	if grep -i 'invalid data' "$WORK/server.out"; then
		fail "the server found wrong data"
	fi
}

# perftest TOOL [ARG...]: server on A, client on B, output in $WORK/perf.
perftest() {
	local tool=$1 port
	shift
	port=$(next_port)
	serve "$port" "$tool" -d "$DEV_A" -x "$GID_A" -p "$port" -F "$@"
	run "${B[@]}" "$tool" -d "$DEV_B" -x "$GID_B" -p "$port" -F "$@" "$IP_A" |
		tee "$WORK/perf"
	bg_ok server
	grep -qE '^ *[0-9]+ +[0-9]+ ' "$WORK/perf" ||
		fail "$tool printed no row of results"
}

# rping_pair ADDR [ARG...]: data checked by the server and the client.
rping_pair() {
	local ip=$1 port
	shift
	port=$(next_port)
	serve "$port" rping -s -a "$ip" -p "$port" -V "$@"
	run "${B[@]}" rping -c -a "$ip" -p "$port" -V "$@"
	bg_ok server
}

# verbs_check [ARG...]: every byte checked; between A and B when they are in
# different namespaces.
verbs_check() {
	local port tool=$BIN/verbs_check
	local opts=(-T 20 "$@")
	# Nothing is lost, but much is late: no retransmission within a second.
	if is_slow; then opts=(-T 60 -u 18 "$@"); fi
	[ -x "$tool" ] || fail "$tool is not built: use tests/vm/run"
	if [ ${#A[@]} = 0 ]; then
		[ "$DEV_A" = "$DEV_B" ] || opts+=(-D "$DEV_B" -G "$GID_B")
		RUN_SECS=${RUN_SECS:-120} run "$tool" -d "$DEV_A" -g "$GID_A" \
			"${opts[@]}"
		return
	fi
	port=$(next_port)
	BG_SECS=${RUN_SECS:-120} serve "$port" "$tool" -d "$DEV_A" \
		-g "$GID_A" --listen "$port" "${opts[@]}"
	RUN_SECS=${RUN_SECS:-120} run "${B[@]}" "$tool" -d "$DEV_B" \
		-g "$GID_B" --connect "$IP_A:$port" "${opts[@]}"
	bg_ok server
}

# ---- Links -----------------------------------------------------------------

# shellcheck source=tests/vm/links.sh
. "$VM_TESTS/links.sh"
