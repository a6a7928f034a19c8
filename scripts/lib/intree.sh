# shellcheck shell=bash
# The driver inside a kernel tree: private overlays over the UML source and
# object trees, at their own paths, so that only this driver is compiled.

# intree_make VALUE TARGET: build TARGET with CONFIG_RDMA_RXE=VALUE there.
intree_make() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	in_root trixie sh -ec '
		into=$1 source=$2 out=$3 value=$4 target=$5
		over() {
			mkdir -p "/mnt/$2/up" "/mnt/$2/work"
			mount -t overlay -o "lowerdir=$1,upperdir=/mnt/$2/up,workdir=/mnt/$2/work" \
				overlay "$1"
		}
		mount -t tmpfs tmpfs /mnt
		over "$source" source
		over "$out" out
		"$into" "$source"
		sed -i "s/^CONFIG_RDMA_RXE=.*/CONFIG_RDMA_RXE=$value/" "$out/.config"
		make -C "$source" O="$out" ARCH=um olddefconfig >/dev/null
		grep -qx "CONFIG_RDMA_RXE=$value" "$out/.config"
		nice make -s -C "$source" O="$out" ARCH=um -j"$(nproc)" "$target"
	' intree "$TOP/scripts/into-kernel" "$(uml_source_dir uml)" "$(uml_build_dir uml)" "$@"
}
