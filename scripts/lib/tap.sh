# shellcheck shell=bash
# Results as KTAP lines, a count at the end.

TAP_N=0 TAP_PASSED=0 TAP_FAILED=0 TAP_SKIPPED=0

# tap NAME CMD...: one test. Its output is shown, indented, when it fails.
# Status 4 is a skip, the last line of output its reason.
tap() {
	local name=$1 out status=0
	shift
	TAP_N=$((TAP_N + 1))
	out=$("$@" 2>&1) || status=$?
	case $status in
	0)
		TAP_PASSED=$((TAP_PASSED + 1))
		echo "ok $TAP_N - $name"
		;;
	4)
		TAP_SKIPPED=$((TAP_SKIPPED + 1))
		echo "ok $TAP_N - $name # SKIP $(tail -n 1 <<<"$out")"
		;;
	*)
		TAP_FAILED=$((TAP_FAILED + 1))
		tail -n 60 <<<"$out" | sed 's/^/# /'
		echo "not ok $TAP_N - $name"
		;;
	esac
}

tap_end() {
	echo "1..$TAP_N"
	echo "$TAP_PASSED passed, $TAP_FAILED failed, $TAP_SKIPPED skipped"
	[ $TAP_FAILED = 0 ]
}
