# shellcheck shell=bash
# Guest roots: one folder per Debian suite, made by mmdebstrap from the
# machine's own mirror, holding kernels, their headers, tools and a compiler.

root_dir() {
	printf '%s/roots/%s\n' "$CACHE" "$1"
}

root_list() {
	printf '%s/scripts/roots/%s.list\n' "$TOP" "$1"
}

root_key() {
	hash_of <"$(root_list "$1")"
}

# mirror MATCH: the archive URI the machine itself uses, by its ending.
mirror() {
	# shellcheck disable=SC2016 # apt's own variable
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
		grep -E "$1" | head -n 1
}

root_sources() {
	local suite=$1 main security
	main=$(mirror '/debian/?$')
	security=$(mirror '/debian-security/?$')
	[ -n "$main" ] || die "no Debian archive in apt's sources: apt-get indextargets shows none"
	echo "deb $main $suite main"
	echo "deb $main $suite-updates main"
	[ -z "$security" ] || echo "deb $security $suite-security main"
	[ "$suite" = bookworm ] || echo "deb $main $suite-backports main"
}

# root_packages SUITE DIR: the list with patterns resolved against DIR's apt.
root_packages() {
	local line
	sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$(root_list "$1")" |
		while read -r line; do
			case $line in
			"~"*) chroot "$2" apt-cache pkgnames linux- |
				grep -E -e "${line#\~}" | sort -V | tail -n 1 ;;
			*) echo "$line" ;;
			esac
		done
}

root_bootstrap() {
	local suite=$1 dir=$2
	root_sources "$suite" |
		mmdebstrap --variant=apt --mode=root --include=ca-certificates \
			--skip=check/empty "$suite" "$dir" -
	# No post-install work that a guest never needs.
	mkdir -p "$dir/etc/kernel/postinst.d" "$dir/etc/initramfs-tools"
	printf '#!/bin/sh\nexit 101\n' >"$dir/usr/sbin/policy-rc.d"
	chmod +x "$dir/usr/sbin/policy-rc.d"
	printf 'path-include=/usr/share/doc/rdma-core/*\n' \
		>"$dir/etc/dpkg/dpkg.cfg.d/zz-soft-roce"
}

# root_install SUITE DIR: what the list says, without initramfs or recommends.
root_install() {
	local suite=$1 dir=$2 packages
	mapfile -t packages < <(root_packages "$suite" "$dir")
	INITRD=No DEBIAN_FRONTEND=noninteractive chroot "$dir" \
		apt-get -q -y --no-install-recommends \
		-o APT::Sandbox::User=root \
		-o Dpkg::Use-Pty=0 \
		-o DPkg::options::=--force-unsafe-io \
		install "${packages[@]}"
}

# root_tests DIR: pyverbs' tests, unpacked where a guest can run them.
root_tests() {
	local dir=$1 to=$1/opt/pyverbs-tests
	rm -rf "$to"
	[ -d "$dir/usr/share/doc/rdma-core/tests" ] || return 0
	cp -r "$dir/usr/share/doc/rdma-core/tests" "$to"
	find "$to" -name '*.gz' -exec gunzip -f {} +
}

root_make() {
	local suite=$1 dir tmp
	dir=$(root_dir "$suite")
	if [ ! -d "$dir" ]; then
		tmp=$dir.new
		rm -rf "$tmp"
		mkdir -p "$(dirname "$dir")"
		root_bootstrap "$suite" "$tmp"
		mv "$tmp" "$dir"
	fi
	chroot "$dir" apt-get -q update
	root_install "$suite" "$dir"
	root_tests "$dir"
	chroot "$dir" apt-get clean
	root_key "$suite" >"$dir/.soft-roce-key"
}

root_ready() {
	local dir
	dir=$(root_dir "$1")
	[ "$(cat "$dir/.soft-roce-key" 2>/dev/null)" = "$(root_key "$1")" ]
}

root_make_locked() {
	if root_ready "$1"; then return; fi
	logged "$CACHE/log/root-$1.log" \
		"making the $1 guest root (about 3 minutes, 2 GB)" root_make "$1"
}

# ensure_root SUITE: the root exists and holds what its list asks for.
ensure_root() {
	if root_ready "$1"; then return; fi
	need_root
	command -v mmdebstrap >/dev/null || "$TOP/scripts/setup"
	with_lock "root-$1" root_make_locked "$1"
}

# in_root SUITE CMD...: run CMD inside the root, with the checkout and the
# cache at the very paths they have outside. Mounts vanish with the command.
in_root() {
	local dir
	dir=$(root_dir "$1")
	shift
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount --propagation private sh -ec '
		root=$1 top=$2 cache=$3
		shift 3
		mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
		mkdir -p "$root$top" "$root$cache"
		mount --bind "$top" "$root$top"
		mount --bind "$cache" "$root$cache"
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		unset TMPDIR
		exec chroot "$root" "$@"
	' in_root "$dir" "$TOP" "$CACHE" "$@"
}
