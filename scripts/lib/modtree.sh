# shellcheck shell=bash
# What lies over a guest's module tree so that a plain "modprobe rdma_rxe"
# takes ours: updates/*.ko and the index files that know of them.

# modtree_index_key K KO...: the index changes with names and dependencies
# only, so that an edit of a function does not cost a depmod.
modtree_index_key() {
	local k=$1
	shift
	{
		kernel_build "$k"
		kernel_release "$k"
		cat "$TOP/scripts/lib/modtree.sh"
		in_root "$(kernel_suite "$k")" modinfo "$@" |
			grep -E '^(depends|alias|softdep|name):'
	} | hash_of
}

# modtree_index K DIR KO...: depmod over the kernel's tree and ours together,
# in a private overlay; keeps the index files.
modtree_index() {
	local k=$1 dir=$2
	shift 2
	mkdir -p "$dir.new"
	# shellcheck disable=SC2016 # expanded by the inner shell
	in_root "$(kernel_suite "$k")" sh -ec '
		base=$1 out=$2 release=$3
		shift 3
		mount -t tmpfs tmpfs /mnt
		mkdir -p /mnt/up/updates /mnt/work "/mnt/lib/modules/$release"
		cp "$@" /mnt/up/updates/
		mount -t overlay -o "lowerdir=$base,upperdir=/mnt/up,workdir=/mnt/work" \
			overlay "/mnt/lib/modules/$release"
		depmod -b /mnt "$release"
		cp /mnt/up/modules.* "$out/"
	' modtree "$(kernel_modules "$k")" "$dir.new" "$(kernel_release "$k")" "$@"
	mv -T "$dir.new" "$dir"
}

modtree_index_once() {
	[ -d "$2" ] || modtree_index "$@"
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
