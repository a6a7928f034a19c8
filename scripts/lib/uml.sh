# shellcheck shell=bash
# User-Mode Linux kernels, built from the trixie root's linux-source-7.3 with
# that root's compiler.

UML_SOURCE=linux-source-7.3

# uml_configs VARIANT: its configuration fragments, in order.
uml_configs() {
	local dir=$TOP/scripts/uml
	printf '%s\n' "$dir/uml.config" "$dir/consumers.config"
	[ "$1" = uml ] || printf '%s\n' "$dir/$1.config"
}

uml_source_version() {
	dpkg-query --admindir="$(root_dir trixie)/var/lib/dpkg" \
		-W -f '${Version}\n' "$UML_SOURCE"
}

# uml_edits VARIANT: the programs that edit its source.
uml_edits() {
	echo "$TOP/scripts/uml/crc-for-uml"
	[ "$1" = uml ] || echo "$TOP/scripts/uml/cheap-traces"
}

uml_source_key() {
	local edits
	mapfile -t edits < <(uml_edits "$1")
	{
		uml_source_version
		cat "${edits[@]}"
	} | hash_of
}

uml_source_dir() {
	printf '%s/uml/source-%s\n' "$CACHE" "$(uml_source_key "$1")"
}

uml_key() {
	local configs
	mapfile -t configs < <(uml_configs "$1")
	{
		uml_source_key "$1"
		cat "${configs[@]}"
	} | hash_of
}

# uml_build_dir VARIANT: its object tree, which modules are built against.
uml_build_dir() {
	printf '%s/uml/%s-%s\n' "$CACHE" "$1" "$(uml_key "$1")"
}

uml_unpack() {
	local dir edit
	dir=$(uml_source_dir "$1")
	[ ! -e "$dir/.unpacked" ] || return 0
	rm -rf "$dir"
	mkdir -p "$dir"
	tar -C "$dir" --strip-components=1 \
		-xf "$(root_dir trixie)/usr/src/$UML_SOURCE.tar.xz"
	uml_edits "$1" | while read -r edit; do
		"$edit" "$dir"
	done
	touch "$dir/.unpacked"
}

# uml_make VARIANT ARG...: make in the object tree, inside the root.
uml_make() {
	local source out
	source=$(uml_source_dir "$1")
	out=$(uml_build_dir "$1")
	shift
	in_root trixie nice -n 10 make -C "$source" O="$out" \
		ARCH=um -j"$(nproc)" "$@"
}

uml_configure() {
	local variant=$1 out configs
	out=$(uml_build_dir "$variant")
	mapfile -t configs < <(uml_configs "$variant")
	mkdir -p "$out"
	uml_make "$variant" defconfig
	# shellcheck disable=SC2016 # expanded by the inner shell
	in_root trixie sh -c 'cd "$1" && shift && ARCH=um \
		scripts/kconfig/merge_config.sh -m -O "$@"' sh \
		"$(uml_source_dir "$variant")" "$out" "$out/.config" "${configs[@]}"
	uml_make "$variant" olddefconfig
	uml_config_missing "$variant" || true
}

# uml_config_missing VARIANT: options asked for that Kconfig did not grant.
uml_config_missing() {
	local configs
	mapfile -t configs < <(uml_configs "$1")
	cat "${configs[@]}" | grep -E '^CONFIG_.*=[ym]$' | sort -u |
		grep -vxF -f "$(uml_build_dir "$1")/.config" |
		sed 's/^/not granted: /'
}

# uml_seed VARIANT: begin with the last build of the same source, so that a
# changed option compiles what it touches and no more.
uml_seed() {
	local out last
	out=$(uml_build_dir "$1")
	last=$(realpath -e "$CACHE/uml/$1" 2>/dev/null) || return 0
	if [ -d "$out" ] || [ "$(readlink "$last/source")" != "$(uml_source_dir "$1")" ]; then
		return 0
	fi
	cp -a "$last" "$out"
	rm -f "$out/.built"
}

uml_build() {
	local variant=$1 out
	out=$(uml_build_dir "$variant")
	uml_unpack "$variant"
	uml_seed "$variant"
	uml_configure "$variant"
	uml_make "$variant" linux modules
	uml_make "$variant" INSTALL_MOD_PATH="$out/root" modules_install
	touch "$out/.built"
	ln -sfn "${out##*/}" "$CACHE/uml/$variant"
}

uml_ready() {
	[ -e "$(uml_build_dir "$1")/.built" ]
}

uml_build_locked() {
	if uml_ready "$1"; then return; fi
	logged "$CACHE/log/$1.log" \
		"building the $1 kernel (about 10 minutes on two CPUs)" uml_build "$1"
}

# ensure_uml uml|uml-debug: the kernel is built.
ensure_uml() {
	ensure_root trixie
	if uml_ready "$1"; then return; fi
	need_root
	with_lock uml uml_build_locked "$1"
}

# uml_command: fills the array GUEST_COMMAND. The kernel is an ordinary program
# of the trixie root, so it runs inside that, with the root as its own.
uml_command() {
	local build append
	build=$(uml_build_dir "$1")
	append="loglevel=5 panic=-1 oops=panic ro rootfstype=hostfs rootflags=/"
	append+=" dummy.numdummies=0 ifb.numifbs=0 bonding.max_bonds=0"
	append+=" root=/dev/root vm_top=$TOP vm_share=$VM_SHARE_DIR vm_cache=$CACHE"
	GUEST_COMMAND=("$TOP/scripts/guest/uml-run" "$(root_dir trixie)" "$TOP"
		"$CACHE" "$VM_SHARE_DIR" "${VM_PIN:-0}" "$build/linux"
		"mem=$VM_MEM" "ncpus=$VM_CPUS" seccomp=auto con=null "con0=fd:0,fd:1"
		"init=$TOP/scripts/guest/uml-init")
	# shellcheck disable=SC2206 # words on purpose
	GUEST_COMMAND+=($append)
}
