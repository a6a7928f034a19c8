#!/bin/bash
# Links: made, refused, following their interface, taken away.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

sockets_are() {
	local want=$1 is
	shift
	is=$(sockets "$@")
	[ "$is" = "$want" ] || {
		"$@" ss -Huln
		fail "$is UDP 4791 sockets, should be $want"
	}
}

# No socket before the first link, one for IPv4 and one for IPv6 from there to
# the last.
add_delete() {
	sockets_are 0
	dummy t-a 10.1.0.1/24
	dummy t-b 10.2.0.1/24
	sockets_are 0
	rxe_add rxe0 t-a
	port_state_is rxe0 ACTIVE || fail "not ACTIVE at once"
	sockets_are 2
	rxe_add rxe1 t-b
	sockets_are 2
	run rdma link show
	rxe_del rxe0
	link_gone rxe0
	sockets_are 2
	rxe_del rxe1
	link_gone rxe1
	sockets_are 0
}

add_refused() {
	dummy t-a 10.1.0.1/24
	dummy t-b 10.2.0.1/24
	refused 'no such device|wrong' rdma link add rxe0 type rxe netdev t-none
	link_gone rxe0
	rxe_add rxe0 t-a
	# The RDMA core itself says ENFILE to a name in use.
	refused 'exists|too many open files in system' \
		rdma link add rxe0 type rxe netdev t-b
	refused 'exists' rdma link add rxe1 type rxe netdev t-a
	refused 'no such|wrong' rdma link delete rxe7
	rxe_del rxe0
	refused 'no such|wrong' rdma link delete rxe0
	klog_quiet
}

on_vlan_refused() {
	dummy t-a 10.1.0.1/24
	ip link add link t-a name t-a.5 type vlan id 5 ||
		skip "this kernel has no VLANs"
	refused 'not permitted|not supported|invalid' \
		rdma link add rxe0 type rxe netdev t-a.5
	link_gone rxe0
}

long_names() {
	local name netdev=t-3456789012345
	name=$(printf 'rxe_%059d' 0)
	dummy "$netdev" 10.1.0.1/24
	rxe_add "$name" "$netdev"
	rdma link show "$name/1" | grep "netdev $netdev"
	[ "$(cat "/sys/class/infiniband/$name/parent")" = "$netdev" ]
	rxe_del "$name"
}

on_lo() {
	rxe_add rxe0 lo
	port_state_is rxe0 ACTIVE
	active_mtu_is rxe0 4096
	gid_wait rxe0 127.0.0.1
	gid_wait rxe0 ::1
	rxe_del rxe0
	sockets_are 0
}

on_veth() {
	ip link add veth0 type veth peer name veth1
	address veth0 10.1.0.1/24 fd01::1/64
	rxe_add rxe0 veth0
	# No carrier before the other end is up.
	until_true 5 port_state_is rxe0 DOWN
	ip link set veth1 up
	until_true 5 port_state_is rxe0 ACTIVE
	gid_wait rxe0 10.1.0.1
	rxe_del rxe0
}

on_tun() {
	tun tun0 10.1.0.1/24
	rxe_add rxe0 tun0
	gid_wait rxe0 10.1.0.1
	sockets_are 2
	run ip link del tun0
	link_gone rxe0 || fail "the link outlives its interface"
	sockets_are 0
}

devinfo() {
	local out
	dummy t-a 10.1.0.1/24
	rxe_add rxe0 t-a
	out=$(run ibv_devinfo -v -d rxe0)
	echo "$out"
	has 'transport:.*InfiniBand' "$out"
	has 'link_layer:.*Ethernet' "$out"
	has 'state:.*PORT_ACTIVE' "$out"
	has 'GID\[ *1\]:.*::ffff:10.1.0.1, RoCE v2' "$out"
	has 'max_pkeys:[[:space:]]*1$' "$out"
	has 'atomic_cap:[[:space:]]*ATOMIC_HCA' "$out"
	if has 'RoCE v1' "$out"; then fail "a RoCE v1 GID"; fi
	if has 'node_guid:[[:space:]]*0000:0000:0000:0000' "$out"; then fail "no GUID"; fi
	run ibv_devices | grep rxe0
	[ "$(cat /sys/class/infiniband/rxe0/parent)" = t-a ] ||
		fail "the parent attribute does not name the interface"
}

state_follows() {
	dummy t-a 10.1.0.1/24
	rxe_add rxe0 t-a
	bg watch stdbuf -oL ibv_asyncwatch -d rxe0
	until_true 10 grep -q rxe0 "$WORK/watch.out"
	run ip link set t-a down
	until_true 5 port_state_is rxe0 DOWN
	run ip link set t-a up
	until_true 5 port_state_is rxe0 ACTIVE
	until_true 5 grep -q PORT_ACTIVE "$WORK/watch.out"
	cat "$WORK/watch.out"
	grep -q PORT_ERR "$WORK/watch.out"
	bg_stop watch
	rxe_del rxe0
}

# netdev MTU less headers, rounded down to what verbs know.
mtu_follows() {
	local pair
	dummy t-a 10.1.0.1/24
	rxe_add rxe0 t-a
	for pair in 1500:1024 9000:4096 2200:2048 1000:512 400:256 1500:1024; do
		run ip link set t-a mtu "${pair%:*}"
		until_true 5 active_mtu_is rxe0 "${pair#*:}" ||
			fail "MTU ${pair%:*}: active_mtu is $(active_mtu rxe0)"
	done
	rxe_del rxe0
}

gids_follow() {
	dummy t-a
	rxe_add rxe0 t-a
	ip addr add 10.1.0.1/24 dev t-a
	ip addr add fd01::1/64 dev t-a nodad
	gid_wait rxe0 10.1.0.1
	gid_wait rxe0 fd01::1
	ip addr add 10.1.0.2/24 dev t-a
	gid_wait rxe0 10.1.0.2
	ip addr del 10.1.0.1/24 dev t-a
	until_true 5 gid_absent rxe0 10.1.0.1
	ip addr del fd01::1/64 dev t-a
	until_true 5 gid_absent rxe0 fd01::1
	rxe_del rxe0
}

# The deletion of the interface takes the link away before it returns.
netdev_gone() {
	dummy t-a 10.1.0.1/24
	dummy t-b 10.2.0.1/24
	rxe_add rxe0 t-a
	rxe_add rxe1 t-b
	run ip link del t-a
	link_gone rxe0 || fail "the link outlives its interface"
	link_exists rxe1
	sockets_are 2
	run ip link del t-b
	sockets_are 0
}

netdev_renamed() {
	dummy t-a 10.1.0.1/24
	rxe_add rxe0 t-a
	# Kernels of old rename only what is down.
	ip link set t-a down
	ip link set t-a name t-renamed
	ip link set t-renamed up
	rdma link show rxe0/1 | grep 'netdev t-renamed'
	rxe_del rxe0
}

many_links() {
	local i
	for i in {1..8}; do
		dummy "t-$i" "10.$i.0.1/24"
		rxe_add "rxe$i" "t-$i"
	done
	run ibv_devices
	for i in {1..8}; do port_state_is "rxe$i" ACTIVE; done
	sockets_are 2
	for i in {1..8}; do rxe_del "rxe$i"; done
	sockets_are 0
}

add_delete_often() {
	local i n
	n=$(few 50 5)
	dummy t-a 10.1.0.1/24
	for ((i = 0; i < n; i++)); do
		rdma link add rxe0 type rxe netdev t-a
		rdma link delete rxe0
	done
	sockets_are 0
}

# Each namespace has its own pair of sockets.
namespaces() {
	local n
	for n in left right; do
		ip netns add "$n"
		ip -n "$n" link add t-a type dummy
		ip -n "$n" addr add 10.1.0.1/24 dev t-a
		ip -n "$n" link set t-a up
		run ip netns exec "$n" rdma link add "rxe_$n" type rxe netdev t-a
		sockets_are 2 ip netns exec "$n"
	done
	sockets_are 0
	run ip netns exec left rdma link delete rxe_left
	sockets_are 0 ip netns exec left
	sockets_are 2 ip netns exec right
	run ip netns del right
	until_true 10 link_gone rxe_right
	ip netns del left
}

# A namespace that ends with everything in place.
namespace_exit() {
	local i n
	n=$(few 10 2)
	for ((i = 0; i < n; i++)); do
		ip netns add left
		ip -n left link add t-a type dummy
		ip -n left addr add 10.1.0.1/24 dev t-a
		ip -n left link set t-a up
		ip netns exec left rdma link add rxe0 type rxe netdev t-a
		ip netns del left
		until_true 10 link_gone rxe0
	done
}

delete_while_open() {
	[ "${VM_MODULE-}" != intree ] || skip "rdma_rxe of the kernel hangs here"
	dummy t-a 10.1.0.1/24
	rxe_add rxe0 t-a
	bg watch stdbuf -oL ibv_asyncwatch -d rxe0
	until_true 10 grep -q rxe0 "$WORK/watch.out"
	RUN_SECS=10 rxe_del rxe0
	link_gone rxe0
	until_true 5 grep -qi 'fatal' "$WORK/watch.out"
	bg_stop watch
	sockets_are 0
}

unload() {
	dummy t-a 10.1.0.1/24
	rxe_add rxe0 t-a
	run modprobe -r rdma_rxe
	link_gone rxe0
	sockets_are 0
	run modprobe rdma_rxe
	rxe_add rxe0 t-a
	run modprobe -r rdma_rxe
	run modprobe rdma_rxe
	sockets_are 0
}

statistics() {
	dummy t-a 10.1.0.1/24
	rxe_add rxe0 t-a
	run rdma statistic show link rxe0/1 | tee "$WORK/stat"
	for name in sent_pkts rcvd_pkts duplicate_request out_of_seq_request \
		rcvd_rnr_err send_rnr_err rcvd_seq_err ack_deferred \
		retry_exceeded_err retry_rnr_exceeded_err completer_retry_err \
		send_err link_downed rdma_sends rdma_recvs; do
		grep -qw "$name" "$WORK/stat" || fail "no counter $name"
	done
	run rdma resource show
	run rdma dev show rxe0
}

plan "link add and delete, sockets from the first to the last" add_delete
plan "link add and delete refused with the right errno" add_refused
plan "link add on a VLAN interface is refused" on_vlan_refused
plan "names of full length" long_names
plan "link on lo" on_lo
plan "link on veth" on_veth
plan "link on tun" on_tun
plan "ibv_devinfo" devinfo
plan "counters under their names" statistics
plan "port state follows the interface" state_follows
plan "active MTU follows the interface" mtu_follows
plan "GIDs follow the addresses" gids_follow
plan "ip link del takes the link away" netdev_gone
plan "interface renamed" netdev_renamed
plan "eight links" many_links
plan "one link, added and deleted again and again" add_delete_often
plan "sockets are per namespace" namespaces
plan "a namespace ends with a link in it" namespace_exit
plan "link delete while a program has the device open" delete_while_open
plan "module unload takes links away" unload
run_plan
