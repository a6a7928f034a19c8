# shellcheck shell=bash
# Building this module for a guest kernel, in the cache, inside the root that
# holds that kernel's headers and compiler.

MODULE_PATH=drivers/infiniband/sw/rxe/rdma_rxe.ko
MODULE_SOURCES="Kbuild Kbuild.compat Makefile drivers include uapi tests"

# module_build_dir K: one per checkout and kernel.
module_build_dir() {
	printf '%s/build/%s/%s\n' "$CACHE" "$(echo "$TOP" | hash_of)" "$1"
}

# module_copy DIR: the sources, by content and time, so that make rebuilds
# what changed and nothing else.
module_copy() {
	local have
	cd "$TOP" || return
	# shellcheck disable=SC2086 # a list of names
	have=$(ls -d $MODULE_SOURCES 2>/dev/null) || true
	# shellcheck disable=SC2086
	rsync -a --delete --prune-empty-dirs \
		--filter='P *.o' --filter='P *.ko' --filter='P *.mod' \
		--filter='P *.mod.c' --filter='P .*.cmd' --filter='P *.d' \
		--filter='P Module.symvers' --filter='P modules.order' \
		--include='*/' --include='*.[chS]' --include='Kbuild*' \
		--include='Makefile' --exclude='*' $have "$1/"
}

# module_make K ARG...: make against K's headers.
module_make() {
	local k=$1 build arch
	shift
	build=$(kernel_build "$k")
	arch=$(kernel_arch_args "$k")
	# shellcheck disable=SC2086 # nothing or one word
	in_root "$(kernel_suite "$k")" make --no-print-directory -C "$build" $arch \
		M="$(module_build_dir "$k")" CONFIG_RDMA_RXE=m RXE_TESTS=1 \
		-j"$(nproc)" "$@"
}

module_build_locked() {
	local k=$1 dir
	shift
	dir=$(module_build_dir "$k")
	mkdir -p "$dir"
	module_copy "$dir"
	# Objects of another configuration are of no use.
	if [ "$(cat "$dir/.against" 2>/dev/null)" != "$(kernel_build "$k")" ]; then
		find "$dir" \( -name '*.o' -o -name '.*.cmd' \) -delete
		kernel_build "$k" >"$dir/.against"
	fi
	module_make "$k" W=1 KCFLAGS=-Werror "$@" modules
}

# module_locked K CMD...: nobody else builds for K meanwhile.
module_locked() {
	ensure_kernel "$1"
	with_lock "build-$(echo "$TOP" | hash_of)-$1" "${@:2}"
}

# build_module K [MAKE ARG...]: compiler output on stderr.
build_module() {
	module_locked "$1" module_build_locked "$@" >&2
}

module_ko() {
	printf '%s/%s\n' "$(module_build_dir "$1")" "$MODULE_PATH"
}
