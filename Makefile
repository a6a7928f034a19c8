# SPDX-License-Identifier: GPL-2.0
# What people call; "make help" lists it. Kbuild beside it is the kernel side.

KDIR ?= /lib/modules/$(shell uname -r)/build
KERNEL ?= all
RIG ?= uml
VERSION := $(shell scripts/version)
MODULE := drivers/infiniband/sw/rxe/rdma_rxe.ko

kbuild = $(MAKE) -C $(KDIR) M=$(CURDIR) CONFIG_RDMA_RXE=m
release = $(shell $(MAKE) -s --no-print-directory -C $(KDIR) kernelrelease)
updates = $(DESTDIR)/lib/modules/$(release)/updates
dkms-dir = /usr/src/rdma_rxe-$(VERSION)

.PHONY: modules clean install uninstall dkms-install dkms-uninstall demo \
	check check-unit check-static check-vm check-torture bench help headers

modules: headers
	$(kbuild) modules

headers:
	@test -e $(KDIR)/Makefile || { echo "no kernel headers at $(KDIR):" \
		"apt-get install linux-headers-$$(uname -r), or give KDIR=" >&2; exit 1; }

clean: headers
	$(kbuild) clean

install: modules
	$(kbuild) INSTALL_MOD_DIR=updates INSTALL_MOD_PATH=$(DESTDIR) modules_install
	depmod -b $(or $(DESTDIR),/) $(release)
	@echo "installed; a loaded module stays until: rmmod rdma_rxe && modprobe rdma_rxe"

uninstall: headers
	rm -f $(updates)/$(MODULE)*
	-rmdir -p --ignore-fail-on-non-empty $(dir $(updates)/$(MODULE)) 2>/dev/null
	depmod -b $(or $(DESTDIR),/) $(release)

dkms-install:
	@command -v dkms >/dev/null || \
		{ echo "no dkms here: apt-get install dkms" >&2; exit 1; }
	rm -rf $(dkms-dir)
	mkdir -p $(dkms-dir)/scripts
	cp -r Makefile Kbuild Kbuild.compat drivers include uapi $(dkms-dir)/
	cp scripts/version $(dkms-dir)/scripts/
	sed 's/@VERSION@/$(VERSION)/' dkms.conf >$(dkms-dir)/dkms.conf
	dkms add -m rdma_rxe -v $(VERSION)
	dkms install -m rdma_rxe -v $(VERSION) $(DKMS_ARGS)

dkms-uninstall:
	@command -v dkms >/dev/null || \
		{ echo "no dkms here: apt-get install dkms" >&2; exit 1; }
	-dkms remove -m rdma_rxe -v $(VERSION) --all
	rm -rf $(dkms-dir)

demo:
	@scripts/demo

check:
	@scripts/check

check-unit check-static check-torture:
	@scripts/check $(@:check-%=%)

check-vm:
	@KERNEL='$(KERNEL)' scripts/check vm

bench:
	@RIG='$(RIG)' scripts/check --no-count bench

help:
	@sed -n 's/^## //p' Makefile

## make                     the module for the running kernel, or KDIR=HEADERS
## make demo                build, boot a VM on a stock kernel, show it working
## make install, uninstall  into updates/, ahead of the in-tree module, and back
## make dkms-install, dkms-uninstall
## make check               every test that must pass before a change lands
## make check-unit          seconds; check-static: all compilers and checkers
## make check-vm KERNEL=    6.1, 6.12, 7.3, uml, uml-debug or all
## make check-torture       long runs under load and fault injection
## make bench RIG=uml|qemu  against the in-tree module and TCP
## make clean
