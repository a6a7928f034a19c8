#!/bin/bash
# The kernel's own tests for rxe (tools/testing/selftests/rdma), unmodified,
# from Debian's package of the kernel's source, of which the UML kernel is made.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

SELFTESTS=${VM_MODULE_TREE%/root/lib/modules/*}/source/tools/testing/selftests

selftest() {
	local rc=0
	[ -d "$SELFTESTS/rdma" ] || skip "no kernel source: $SELFTESTS"
	cd "$SELFTESTS/rdma"
	RUN_SECS=120 run bash "./$1" || rc=$?
	# What one leaves behind is not to trouble the next.
	modprobe rdma_rxe
	[ "$rc" != 4 ] || skip "it skips itself"
	[ "$rc" = 0 ]
}

for t in rxe_ipv6 rxe_socket_with_netns rxe_rping_between_netns \
	rxe_sent_rcvd_bytes rxe_test_NETDEV_UNREGISTER rxe_netns_names; do
	plan "$t" selftest "$t.sh"
done
run_plan
