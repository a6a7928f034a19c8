# shellcheck shell=bash
# Shared by every script here: where things are, how to say what happens.

# shellcheck disable=SC2034 # used by all others
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/soft-roce

say() {
	printf '%s\n' "$*" >&2
}

die() {
	say "${0##*/}: $*"
	exit 1
}

need_root() {
	[ "$(id -u)" = 0 ] || die "must run as root (try: sudo $0 ...)"
}

# hash_of: twelve hex digits that stand for everything on stdin.
hash_of() {
	sha256sum | cut -c1-12
}

# with_lock NAME CMD...: one at a time over the whole machine, whoever comes
# second waits and then usually finds the work done.
with_lock() {
	local name=$1
	shift
	mkdir -p "$CACHE/lock"
	(
		if ! flock -n 9; then
			say "waiting for another run that holds '$name'"
			flock 9
		fi
		"$@" 9>&-
	) 9>"$CACHE/lock/$name"
}

# logged FILE WHAT CMD...: run quietly into FILE, show its end when it fails.
logged() {
	local file=$1 what=$2 start=$SECONDS
	shift 2
	mkdir -p "$(dirname "$file")"
	say "$what ..."
	# In the background, so that errexit holds inside it.
	(
		set -e
		"$@"
	) >"$file" 2>&1 </dev/null &
	if ! wait $!; then
		tail -n 40 "$file" >&2
		die "$what failed, log in $file"
	fi
	say "$what: done in $((SECONDS - start)) s"
}
