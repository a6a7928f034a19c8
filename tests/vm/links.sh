# shellcheck shell=bash
# Making and unmaking interfaces and links, and asking about them (lib.sh).
# shellcheck disable=SC2034 # the sides are used by lib.sh and the tests

# ---- Asking -----------------------------------------------------------------

link_exists() {
	rdma link show "$1/1" >/dev/null 2>&1
}

link_gone() {
	! link_exists "$1"
}

# sockets [CMD...]: how many UDP 4791 sockets there are (in a namespace).
sockets() {
	"$@" ss -Hulna 'sport = :4791' | wc -l
}

# gid_text ADDR: as sysfs writes it.
gid_text() {
	local addr=$1 head tail i
	local -a h t
	case $addr in
	*:*)
		head=${addr%%::*} tail=
		case $addr in *::*) tail=${addr##*::} ;; esac
		IFS=: read -ra h <<<"$head"
		IFS=: read -ra t <<<"$tail"
		for ((i = ${#h[@]}; i < 8 - ${#t[@]}; i++)); do h[i]=0; done
		h+=("${t[@]}")
		;;
	*)
		IFS=. read -ra t <<<"$addr"
		h=(0 0 0 0 0 ffff)
		h+=("$(printf %x $((t[0] * 256 + t[1])))")
		h+=("$(printf %x $((t[2] * 256 + t[3])))")
		;;
	esac
	printf '%04x' "0x${h[0]}"
	for i in {1..7}; do printf ':%04x' "0x${h[i]}"; done
	echo
}

# gid_find DEV ADDR: the index of the GID of an address.
gid_find() {
	local dir=/sys/class/infiniband/$1/ports/1/gids i gid want
	want=$(gid_text "$2")
	for i in {0..15}; do
		{ read -r gid <"$dir/$i"; } 2>/dev/null || continue
		if [ "$gid" = "$want" ]; then
			echo "$i"
			return 0
		fi
	done
	return 1
}

gid_absent() {
	! gid_find "$1" "$2"
}

# gid_wait DEV ADDR: GIDs follow addresses, but not at once.
gid_wait() {
	if ! until_true 10 gid_find "$1" "$2" >&2; then
		head -n 1 "/sys/class/infiniband/$1/ports/1/gids/"[0-7] >&2
		return 1
	fi
	gid_find "$1" "$2"
}

port_state() {
	rdma link show "$1/1" | sed -n 's/.* state \([A-Z_]*\) .*/\1/p'
}

port_state_is() {
	[ "$(port_state "$1")" = "$2" ]
}

active_mtu() {
	ibv_devinfo -d "$1" | sed -n 's/.*active_mtu:[[:space:]]*\([0-9]*\).*/\1/p'
}

active_mtu_is() {
	[ "$(active_mtu "$1")" = "$2" ]
}

counter() {
	cat "/sys/class/infiniband/$1/ports/1/hw_counters/$2" 2>/dev/null ||
		cat "/sys/class/infiniband/$1/ports/1/counters/$2"
}

# ---- Making -----------------------------------------------------------------

rxe_add() {
	run rdma link add "$1" type rxe netdev "$2"
}

rxe_del() {
	run rdma link delete "$1"
}

dummy() {
	ip link add "$1" type dummy
	address "$@"
}

# address DEV ADDR...: and up.
address() {
	local dev=$1 addr
	shift
	for addr in "$@"; do
		case $addr in
		*:*) ip addr add "$addr" dev "$dev" nodad ;;
		*) ip addr add "$addr" dev "$dev" ;;
		esac
	done
	ip link set "$dev" up
}

tun() {
	if [ ! -e /dev/net/tun ]; then
		modprobe tun
		mkdir -p /dev/net
		[ -e /dev/net/tun ] || mknod /dev/net/tun c 10 200
	fi
	ip tuntap add mode tun "$1"
	address "$@"
}

# local_road Y|N: whether traffic within this machine goes round the network
# stack (the default) or through it.
LOCAL=/sys/module/rdma_rxe/parameters/local
local_road() {
	[ -w "$LOCAL" ] || skip "this module has no parameter 'local'"
	echo "$1" >"$LOCAL"
}

# net_reset: no link, no namespace and no interface of a test is left.
net_reset() {
	local name
	[ ! -w "$LOCAL" ] || echo Y >"$LOCAL"
	for name in $(rdma link show 2>/dev/null | sed -n 's/^link \([^/]*\).*/\1/p'); do
		rdma link delete "$name" 2>/dev/null || true
	done
	for name in $(ip netns list | sed 's/ .*//'); do
		ip netns del "$name" || true
	done
	for name in $(ip -o link show | sed -n 's/^[0-9]*: \([^:@]*\).*/\1/p'); do
		case $name in
		# One of a pair goes with the other.
		t-* | dummy* | veth* | tun[0-9]*) ip link del "$name" 2>/dev/null || true ;;
		esac
	done
}

# links_ready LINKS: those of the last test, or new ones.
links_ready() {
	local name
	if [ "$(cat "$WORK/links" 2>/dev/null)" = "$1" ] && [ "$1" != none ]; then
		return
	fi
	net_reset
	eval "links_$1"
	for name in $SIDES; do declare -p "$name"; done >"$WORK/sides"
	echo "$1" >"$WORK/links"
}

links_used_up() {
	rm -f "$WORK/links"
}

links_none() {
	:
}

# Both sides on one device of a dummy interface.
links_dummy() {
	dummy t-dummy 10.7.0.1/24 fd07::1/64
	rxe_add rxe0 t-dummy
	sides_same rxe0 10.7.0.1 fd07::1
}

links_lo() {
	rxe_add rxe0 lo
	sides_same rxe0 127.0.0.1 ::1
}

# The same, all traffic through the network stack.
links_stack() {
	local_road N
	links_dummy
}

# Two devices of one machine.
links_two() {
	dummy t-dummy 10.7.0.1/24 fd07::1/64
	dummy t-other 10.6.0.1/24 fd06::1/64
	rxe_add rxe0 t-dummy
	rxe_add rxe1 t-other
	sides_same rxe0 10.7.0.1 fd07::1
	DEV_B=rxe1 IP_B=10.6.0.1 IP6_B=fd06::1
	GID_B=$(gid_wait rxe1 10.6.0.1)
	GID6_B=$(gid_wait rxe1 fd06::1)
}

links_tun() {
	tun tun0 10.9.0.1/24 fd09::1/64
	rxe_add rxe0 tun0
	sides_same rxe0 10.9.0.1 fd09::1
}

# sides_same DEV IP IP6
sides_same() {
	A=() B=()
	DEV_A=$1 DEV_B=$1 IP_A=$2 IP_B=$2 IP6_A=$3 IP6_B=$3
	GID_A=$(gid_wait "$1" "$2")
	GID6_A=$(gid_wait "$1" "$3")
	GID_B=$GID_A GID6_B=$GID6_A
}

# A namespace for each side, a veth pair between: links_veth [MTU].
links_veth() {
	local mtu=${1:-1500}
	ip netns add left
	ip netns add right
	ip link add veth0 netns left mtu "$mtu" type veth \
		peer name veth1 netns right mtu "$mtu"
	links_veth_side left veth0 10.8.0.1/24 fd08::1/64
	links_veth_side right veth1 10.8.0.2/24 fd08::2/64
	A=(ip netns exec left) B=(ip netns exec right)
	run "${A[@]}" rdma link add rxe0 type rxe netdev veth0
	run "${B[@]}" rdma link add rxe1 type rxe netdev veth1
	DEV_A=rxe0 DEV_B=rxe1
	IP_A=10.8.0.1 IP_B=10.8.0.2 IP6_A=fd08::1 IP6_B=fd08::2
	GID_A=$(gid_wait rxe0 "$IP_A")
	GID_B=$(gid_wait rxe1 "$IP_B")
	GID6_A=$(gid_wait rxe0 "$IP6_A")
	GID6_B=$(gid_wait rxe1 "$IP6_B")
	run "${B[@]}" ping -c 1 -w 5 -q 10.8.0.1
}

links_veth_side() {
	ip -n "$1" link set lo up
	ip -n "$1" addr add "$3" dev "$2"
	ip -n "$1" addr add "$4" dev "$2" nodad
	ip -n "$1" link set "$2" up
}

# VLAN 5 on both ends of the veth pair; the links stay on the pair itself.
links_vlan() {
	links_veth
	run ip -n left link add link veth0 name veth0.5 type vlan id 5
	run ip -n right link add link veth1 name veth1.5 type vlan id 5
	links_veth_side left veth0.5 10.5.0.1/24 fd05::1/64
	links_veth_side right veth1.5 10.5.0.2/24 fd05::2/64
	IP_A=10.5.0.1 IP_B=10.5.0.2 IP6_A=fd05::1 IP6_B=fd05::2
	GID_A=$(gid_wait rxe0 "$IP_A")
	GID_B=$(gid_wait rxe1 "$IP_B")
	GID6_A=$(gid_wait rxe0 "$IP6_A")
	GID6_B=$(gid_wait rxe1 "$IP6_B")
}

# links_lossy PERCENT [MTU]: netem at both ends of the veth pair. Segmentation
# offload is off there, since netem drops whole bursts otherwise.
links_lossy() {
	links_veth "${2:-1500}"
	lossy_side veth0 "$1" "${A[@]}"
	lossy_side veth1 "$1" "${B[@]}"
}

lossy_side() {
	local dev=$1 percent=$2
	shift 2
	run "$@" ethtool -K "$dev" gso off gro off tx-udp-segmentation off
	run "$@" tc qdisc replace dev "$dev" root netem \
		loss "$percent%" limit 20000
}
