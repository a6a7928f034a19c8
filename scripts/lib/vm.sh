# shellcheck shell=bash
# One guest run: what goes into the share, starting, watching, judging.

# vm_share: the folder both sides see; VM_SHARE_DIR names one to keep.
vm_share() {
	if [ -n "${VM_SHARE_DIR-}" ]; then
		mkdir -p "$VM_SHARE_DIR"
		VM_SHARE_DIR=$(realpath "$VM_SHARE_DIR")
		VM_KEEP=1
	else
		VM_SHARE_DIR=$(mktemp -d /tmp/soft-roce-vm.XXXXXX)
	fi
	rm -rf "$VM_SHARE_DIR/.vm"
	mkdir "$VM_SHARE_DIR/.vm"
	VM=$VM_SHARE_DIR/.vm
	: >"$VM/output"
	cp /proc/cpuinfo "$VM/cpuinfo"
}

# vm_command SCRIPT ARG...: how the guest calls it. A script outside the
# checkout is copied into the share, since the guest does not see it.
vm_command() {
	local script
	script=$(realpath -e "$1" 2>/dev/null) || script=$(realpath -e "$TOP/$1") ||
		die "no such script: $1"
	shift
	case $script in
	"$TOP"/*) ;;
	*)
		cp "$script" "$VM/script"
		script=$VM/script
		;;
	esac
	if [ -x "$script" ]; then
		printf '%q ' exec "$script" "$@" >"$VM/command"
	else
		printf '%q ' exec bash "$script" "$@" >"$VM/command"
	fi
}

# vm_env: what the guest's init and the script are told. Variables named
# VM_*, TEST_* and BENCH_* of the caller pass through.
vm_env() {
	local name
	{
		for name in $(compgen -e | grep -E '^(VM|TEST|BENCH)_' || true); do
			printf 'export %s=%q\n' "$name" "${!name}"
		done
		printf 'export %s=%q\n' VM_TOP "$TOP" VM_KERNEL "$VM_KERNEL" \
			VM_MODULE "$VM_MODULE" VM_MODULE_ARGS "${VM_MODULE_ARGS-}" \
			VM_SHARE "$VM_SHARE_DIR" VM_CPUS "$VM_CPUS" \
			VM_MODULE_TREE "$(kernel_modules "$VM_KERNEL")"
	} >"$VM/env"
}

# vm_modules: our module (and those of the tests), built and put into place.
vm_modules() {
	[ "$VM_MODULE" = ours ] || return 0
	module_locked "$VM_KERNEL" vm_modules_locked
}

# Copied under the build's lock: another run may build from newer sources.
vm_modules_locked() {
	local kos
	module_build_locked "$VM_KERNEL" >&2
	mapfile -t kos < <(find "$(module_build_dir "$VM_KERNEL")" -name '*.ko')
	modtree "$VM_KERNEL" "$VM/modules" "${kos[@]}"
}

# vm_start: the guest in a PID namespace of its own, so that ending its first
# process ends everything it started and nothing else.
vm_start() {
	if is_uml "$VM_KERNEL"; then
		uml_command "$VM_KERNEL"
	else
		qemu_command "$VM_KERNEL"
	fi
	unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
		"${GUEST_COMMAND[@]}" </dev/null >"$VM/console" 2>&1 &
	VM_PID=$!
	tail -n +1 -f -s 0.2 --pid="$VM_PID" "$VM/output" 2>/dev/null &
	VM_TAIL=$!
}

vm_kill() {
	[ -n "${VM_PID-}" ] || return 0
	kill -KILL "$VM_PID" 2>/dev/null || true
	wait "$VM_PID" 2>/dev/null || true
}

vm_abort() {
	vm_kill
	[ "${VM_KEEP:-0}" = 1 ] || rm -rf "$VM_SHARE_DIR"
	exit "$1"
}

# vm_wait: until it ends by itself or its time is up.
vm_wait() {
	local deadline=$((SECONDS + VM_TIMEOUT))
	while kill -0 "$VM_PID" 2>/dev/null; do
		if [ "$SECONDS" -ge "$deadline" ]; then
			VM_VERDICT="no result within $VM_TIMEOUT s"
			vm_kill
			break
		fi
		sleep 0.2
	done
	wait "$VM_PID" 2>/dev/null || true
	VM_PID=
	wait "$VM_TAIL" 2>/dev/null || true
}

# vm_log: the fullest kernel log there is, as kernel.log in the share.
vm_log() {
	local log=$VM_SHARE_DIR/kernel.log
	if [ -s "$VM/dmesg" ]; then
		cp "$VM/dmesg" "$log"
		return
	fi
	cat "$VM/dmesg-follow" >"$log" 2>/dev/null || true
	if grep -aq "$KLOG_READY" "$VM/console"; then
		klog_after_ready "$VM/console" >>"$log"
	else
		cat "$VM/console" >>"$log"
	fi
}

# vm_judge: sets VM_STATUS; a script's success counts only if the guest said
# so and its kernel has nothing to report.
vm_judge() {
	local bad
	VM_STATUS=$(cat "$VM/status" 2>/dev/null) || VM_STATUS=
	if [ -z "$VM_STATUS" ]; then
		VM_STATUS=124
		: "${VM_VERDICT:=the guest ended without reporting a status}"
	fi
	bad=$(klog_bad "$VM_SHARE_DIR/kernel.log" | head -n 20) || true
	if [ -z "$bad" ] && grep -aqE 'Kernel panic|Kernel mode fault' "$VM/console"; then
		bad=$(grep -aE -m 3 'Kernel panic|Kernel mode fault' "$VM/console")
	fi
	if [ -n "$bad" ]; then
		VM_VERDICT="the kernel log has reports:"$'\n'"$bad"
	fi
	if [ -s "$VM/kmemleak" ]; then
		VM_VERDICT="${VM_VERDICT-}"$'\n'"kmemleak:"$'\n'"$(head -n 60 "$VM/kmemleak")"
	fi
	if [ -n "${VM_VERDICT-}" ] && [ "$VM_STATUS" = 0 ]; then
		VM_STATUS=125
	fi
}

vm_report() {
	if [ -n "${VM_VERDICT-}" ]; then
		say "scripts/vm: $VM_VERDICT"
		say "scripts/vm: end of the kernel log:"
		tail -n "${VM_LOG_LINES:-80}" "$VM_SHARE_DIR/kernel.log" >&2
	fi
	if [ "${VM_KEEP:-0}" = 1 ] || [ "$VM_STATUS" != 0 ]; then
		say "scripts/vm: results in $VM_SHARE_DIR"
	else
		rm -rf "$VM_SHARE_DIR"
	fi
}
