# shellcheck shell=bash
# Reading a guest's kernel log for reports that make a run fail.

KLOG_READY='soft-roce: guest ready'

KLOG_BAD='BUG: |BUG at |kernel BUG|\bWARNING: |KASAN: |KFENCE: |UBSAN: '
KLOG_BAD+='|possible (circular|recursive) locking|possible irq lock inversion'
KLOG_BAD+='|inconsistent lock state|suspicious RCU|irq-unsafe lock order'
KLOG_BAD+='|bad unlock balance|held lock freed|lock held when returning'
KLOG_BAD+='|turning off the locking correctness validator'
KLOG_BAD+='|Invalid wait context|sleeping function called|scheduling while atomic'
KLOG_BAD+='|Voluntary context switch within RCU'
KLOG_BAD+='|refcount_t: |ref_tracker: |unregister_netdevice: waiting'
KLOG_BAD+='|ODEBUG: |list_(add|del) corruption|leaked .*(object|slab)|Objects remaining'
KLOG_BAD+='|kmemleak: [0-9]+ new suspected'
KLOG_BAD+='|blocked for more than|soft lockup|hard LOCKUP|detected stall|self-detected stall'
KLOG_BAD+='|workqueue lockup|Bad page state|bad page map|Oops|general protection'
KLOG_BAD+='|unable to handle|Kernel panic|Kernel mode fault|segfault.*linux'

# klog_after_ready FILE: the log from the moment the guest was set up.
klog_after_ready() {
	sed -n "/$KLOG_READY/,\$p" "$1"
}

# klog_bad FILE: the lines that condemn a run.
klog_bad() {
	klog_after_ready "$1" | grep -aE "$KLOG_BAD"
}
