# shellcheck shell=bash
# A distribution's stock kernel in QEMU, its root over 9p: no disk image.

qemu_key() {
	{
		kernel_release "$1"
		cat "$TOP/scripts/guest/qemu-init" \
			"$(kernel_root "$1")/var/lib/dpkg/info/busybox-static.md5sums"
	} | hash_of
}

qemu_initramfs() {
	printf '%s/initramfs/%s-%s.gz\n' "$CACHE" "$1" "$(qemu_key "$1")"
}

# qemu_copy_modules K DIR: the few modules it takes to reach a 9p root.
qemu_copy_modules() {
	local root file name
	root=$(kernel_root "$1")
	chroot "$root" modprobe -S "$(kernel_release "$1")" --show-depends -a \
		virtio_pci 9pnet_virtio 9p overlay |
		awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
		while read -r file; do
			name=${file##*/}
			case $name in
			*.xz) xz -dc "$root$file" >"$2/${name%.xz}" ;;
			*.zst) zstd -qdc "$root$file" >"$2/${name%.zst}" ;;
			*) cp "$root$file" "$2/$name" ;;
			esac
			name=${name%.xz}
			echo "${name%.zst}"
		done >"$2/order"
}

qemu_make_initramfs() {
	local k=$1 out tmp
	out=$(qemu_initramfs "$k")
	[ ! -e "$out" ] || return 0
	tmp=$(mktemp -d)
	mkdir -p "$tmp/bin" "$tmp/modules" "$(dirname "$out")"
	cp "$(kernel_root "$k")/bin/busybox" "$tmp/bin/"
	cp "$TOP/scripts/guest/qemu-init" "$tmp/init"
	qemu_copy_modules "$k" "$tmp/modules"
	(cd "$tmp" && find . | cpio -o -H newc --quiet | gzip -1) >"$out.new"
	mv "$out.new" "$out"
	rm -r "$tmp"
}

# qemu_accel: KVM only where a stock kernel really runs in it.
qemu_accel() {
	if [ -w /dev/kvm ] && { [ "$(uname -m)" = aarch64 ] ||
		grep -qE '^flags.*\b(vmx|svm)\b' /proc/cpuinfo; }; then
		echo -accel kvm -cpu host
	else
		echo -accel tcg,thread=multi -cpu max
	fi
}

qemu_prepare() {
	command -v qemu-system-x86_64 >/dev/null || "$TOP/scripts/setup"
	with_lock "initramfs-$1" qemu_make_initramfs "$1"
}

# qemu_share TAG PATH [OPTION]
qemu_share() {
	echo "-fsdev local,id=$1,path=$2,security_model=none,multidevs=remap${3-}" \
		"-device virtio-9p-pci,fsdev=$1,mount_tag=$1"
}

# qemu_command: fills the array GUEST_COMMAND.
qemu_command() {
	local k=$1 root append
	root=$(kernel_root "$k")
	append="console=ttyS0 loglevel=5 panic=-1 oops=panic log_buf_len=4M"
	append+=" watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=120"
	append+=" mitigations=off net.ifnames=0 vm_top=$TOP vm_share=$VM_SHARE_DIR"
	# shellcheck disable=SC2207,SC2046 # words on purpose
	# shellcheck disable=SC2034 # vm.sh runs it
	GUEST_COMMAND=(qemu-system-x86_64 $(qemu_accel)
		-smp "$VM_CPUS" -m "$VM_MEM" -nodefaults -no-reboot -nographic
		-serial stdio -monitor none
		-kernel "$root/boot/vmlinuz-$(kernel_release "$k")"
		-initrd "$(qemu_initramfs "$k")"
		$(qemu_share root "$root" ,readonly=on)
		$(qemu_share top "$TOP" ,readonly=on)
		$(qemu_share share "$VM_SHARE_DIR")
		-device virtio-rng-pci
		-append "$append")
}
