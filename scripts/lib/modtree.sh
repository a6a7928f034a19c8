# shellcheck shell=bash
# What lies over a guest's module tree so that a plain "modprobe rdma_rxe"
# takes ours: updates/*.ko and the index files that know of them.

# modtree_index_key K KO...: the index changes with names and dependencies
# only, so that an edit of a function does not cost a depmod.
modtree_index_key() {
	local k=$1 ko
	shift
	{
		kernel_build "$k"
		stat -c %Y "$(kernel_modules_outside "$k")"
		for ko; do
			echo "${ko##*/}"
			modinfo -F depends "$ko"
			modinfo -F alias "$ko"
			modinfo -F softdep "$ko"
		done
	} | hash_of
}

kernel_modules_outside() {
	if is_uml "$1"; then
		kernel_modules "$1"
	else
		echo "$(kernel_root "$1")$(kernel_modules "$1")"
	fi
}

# modtree_index K DIR KO...: depmod over the kernel's tree and ours together,
# in a private overlay; keeps the index files.
modtree_index() {
	local k=$1 dir=$2 base
	shift 2
	base=$(kernel_modules_outside "$k")
	mkdir -p "$dir.new"
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount --propagation private sh -ec '
		base=$1 out=$2 release=$3
		shift 3
		mount -t tmpfs tmpfs /mnt
		mkdir -p /mnt/up/updates /mnt/work /mnt/lib/modules/$release
		cp "$@" /mnt/up/updates/
		mount -t overlay -o "lowerdir=$base,upperdir=/mnt/up,workdir=/mnt/work" \
			overlay "/mnt/lib/modules/$release"
		depmod -b /mnt "$release"
		cp /mnt/up/modules.* "$out/"
	' modtree "$base" "$dir.new" "$(kernel_release "$k")" "$@"
	mv -T "$dir.new" "$dir"
}

# modtree K DIR KO...: fill DIR with what goes over /lib/modules/RELEASE.
modtree() {
	local k=$1 dir=$2 index
	shift 2
	index=$CACHE/modules/$k-$(modtree_index_key "$k" "$@")
	[ -d "$index" ] || with_lock "modules-$k" modtree_index_once "$k" "$index" "$@"
	mkdir -p "$dir/updates"
	cp "$index"/* "$dir/"
	cp "$@" "$dir/updates/"
}

modtree_index_once() {
	[ -d "$2" ] || modtree_index "$@"
}
