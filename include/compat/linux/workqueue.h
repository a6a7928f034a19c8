/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_LINUX_WORKQUEUE_H
#define COMPAT_LINUX_WORKQUEUE_H

#include_next <linux/workqueue.h>

#ifndef HAVE_WQ_PERCPU
/* The absence of WQ_UNBOUND says it there. */
#define WQ_PERCPU 0
#endif

#endif /* COMPAT_LINUX_WORKQUEUE_H */
