# shellcheck shell=bash
# Everything the guest rigs are made of.
_lib=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=scripts/lib/common.sh
. "$_lib/common.sh"
# shellcheck source=scripts/lib/root.sh
. "$_lib/root.sh"
# shellcheck source=scripts/lib/uml.sh
. "$_lib/uml.sh"
# shellcheck source=scripts/lib/kernel.sh
. "$_lib/kernel.sh"
# shellcheck source=scripts/lib/module.sh
. "$_lib/module.sh"
# shellcheck source=scripts/lib/modtree.sh
. "$_lib/modtree.sh"
# shellcheck source=scripts/lib/qemu.sh
. "$_lib/qemu.sh"
# shellcheck source=scripts/lib/klog.sh
. "$_lib/klog.sh"
# shellcheck source=scripts/lib/vm.sh
. "$_lib/vm.sh"
