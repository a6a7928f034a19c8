# shellcheck shell=bash
# The five guest kernels by the names people type: 6.1 6.12 7.3 uml uml-debug.

KERNELS="6.1 6.12 7.3 uml uml-debug"

kernel_check() {
	case " $KERNELS " in
	*" $1 "*) ;;
	*) die "unknown kernel '$1', have: $KERNELS" ;;
	esac
}

is_uml() {
	case $1 in
	uml*) ;;
	*) return 1 ;;
	esac
}

# kernel_suite K: which root it lives in.
kernel_suite() {
	case $1 in
	6.1) echo bookworm ;;
	*) echo trixie ;;
	esac
}

kernel_root() {
	root_dir "$(kernel_suite "$1")"
}

ensure_kernel() {
	if is_uml "$1"; then
		ensure_uml "$1"
	else
		ensure_root "$(kernel_suite "$1")"
	fi
}

# kernel_release K: what uname -r says there.
kernel_release() {
	if is_uml "$1"; then
		cat "$(uml_build_dir "$1")/include/config/kernel.release"
	else
		find "$(kernel_root "$1")/lib/modules" -mindepth 1 -maxdepth 1 \
			-name "$1.*" -printf '%f\n' | sort -V | tail -n 1
	fi
}

# kernel_build K: what modules are built against, as a path inside the root.
kernel_build() {
	if is_uml "$1"; then
		uml_build_dir "$1"
	else
		echo "/lib/modules/$(kernel_release "$1")/build"
	fi
}

# kernel_modules K: its module tree, as a path inside the root.
kernel_modules() {
	if is_uml "$1"; then
		echo "$(uml_build_dir "$1")/root/lib/modules/$(kernel_release "$1")"
	else
		echo "/lib/modules/$(kernel_release "$1")"
	fi
}

kernel_arch_args() {
	if is_uml "$1"; then echo ARCH=um; fi
}
