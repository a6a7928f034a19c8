#!/bin/bash
# rdma-core's own tests (pyverbs), file by file, against the stored lists of
# what passes and what is skipped: pyverbs/expected-VERSION.txt.
# With TEST_PYVERBS_RECORD=1 the verdicts are left in the share as a new list.
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

WHERE=/opt/pyverbs-tests
VERSION=$(dpkg-query -W -f '${Version}' python3-pyverbs | sed 's/-.*//')
LIST=$VM_TESTS/pyverbs/expected-$VERSION.txt
# A file takes a second or so to load, and rdma_cm's wait for each other.
export RUN_SECS=300

module() {
	local name=$1 rc=0
	rm -f "$WORK/verdicts" "$WORK/compared"
	run python3 "$VM_TESTS/pyverbs/run_module" "$WHERE" "$name" \
		"$WORK/verdicts" --dev rxe0 --port 1 --gid "$GID_A" || rc=$?
	if [ "${TEST_PYVERBS_RECORD-}" = 1 ]; then
		cat "$WORK/verdicts" >>"$VM_SHARE/expected-$VERSION.txt"
		return
	fi
	[ "$rc" = 0 ] || echo "run_module ended with status $rc"
	python3 "$VM_TESTS/pyverbs/compare" "$name" "$WORK/verdicts" "$LIST" \
		>"$WORK/compared" || rc=$?
	tee -a "$WORK/notes" <"$WORK/compared"
	grep -q ' 0 fail, 0 missing' "$WORK/compared"
	[ -z "$(sed -n '/should/p' "$WORK/compared")" ]
}

# Those of one vendor's hardware do not apply.
modules() {
	find "$WHERE" -name 'test_*.py' -printf '%f\n' | sed 's/\.py$//' |
		grep -vE 'mlx5|efa|cuda' | sort
}

use dummy
for name in $(modules); do plan "$name" module "$name"; done
if [ "${TEST_PYVERBS_RECORD-}" != 1 ] && [ ! -e "$LIST" ]; then
	echo "# no list for rdma-core $VERSION: $LIST"
fi
run_plan
