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
