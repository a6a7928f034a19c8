/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UNIT_FUZZ_PKT_H
#define UNIT_FUZZ_PKT_H

#include <linux/types.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#endif
