// SPDX-License-Identifier: GPL-2.0
/*
 * The table of what a device can do, and the verbs that have no file of their
 * own: what device and port say of themselves, user contexts, PDs.
 */
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_umem.h>
#include <rdma/uverbs_ioctl.h>

#include "rxe.h"
#include "compat_ops.h"

#define RXE_PKEY_TBL_LEN 1
#define RXE_UVERBS_ABI_VERSION 2

static const u64 rxe_device_caps =
	IB_DEVICE_BAD_PKEY_CNTR |
	IB_DEVICE_BAD_QKEY_CNTR |
	IB_DEVICE_AUTO_PATH_MIG |
	IB_DEVICE_CHANGE_PHY_PORT |
	IB_DEVICE_UD_AV_PORT_ENFORCE |
	IB_DEVICE_PORT_ACTIVE_EVENT |
	IB_DEVICE_SYS_IMAGE_GUID |
	IB_DEVICE_RC_RNR_NAK_GEN |
	IB_DEVICE_SRQ_RESIZE |
	IB_DEVICE_MEM_MGT_EXTENSIONS |
	IB_DEVICE_MEM_WINDOW |
	IB_DEVICE_MEM_WINDOW_TYPE_2B |
	IB_DEVICE_FLUSH_GLOBAL |
	IB_DEVICE_FLUSH_PERSISTENT |
	IB_DEVICE_ATOMIC_WRITE;

static void rxe_query_odp(struct ib_device_attr *attr)
{
	if (!IS_ENABLED(CONFIG_INFINIBAND_ON_DEMAND_PAGING))
		return;
	attr->kernel_cap_flags |= IBK_ON_DEMAND_PAGING;
	attr->odp_caps.general_caps = IB_ODP_SUPPORT;
	attr->odp_caps.per_transport_caps.ud_odp_caps =
		IB_ODP_SUPPORT_SEND | IB_ODP_SUPPORT_RECV | IB_ODP_SUPPORT_SRQ_RECV;
	attr->odp_caps.per_transport_caps.rc_odp_caps =
		IB_ODP_SUPPORT_SEND | IB_ODP_SUPPORT_RECV | IB_ODP_SUPPORT_SRQ_RECV |
		IB_ODP_SUPPORT_WRITE | IB_ODP_SUPPORT_READ | IB_ODP_SUPPORT_ATOMIC |
		IB_ODP_SUPPORT_FLUSH | IB_ODP_SUPPORT_ATOMIC_WRITE;
}

static void rxe_query_limits(struct ib_device_attr *attr)
{
	attr->max_mr_size = U64_MAX;
	attr->max_qp = RXE_MAX_OBJ;
	attr->max_qp_wr = RXE_MAX_WR;
	attr->max_send_sge = RXE_MAX_SGE;
	attr->max_recv_sge = RXE_MAX_SGE;
	attr->max_sge_rd = RXE_MAX_SGE;
	attr->max_cq = RXE_MAX_OBJ;
	attr->max_cqe = RXE_MAX_CQE;
	attr->max_mr = RXE_MAX_MR;
	attr->max_mw = RXE_MAX_MR;
	attr->max_pd = RXE_MAX_OBJ;
	attr->max_qp_rd_atom = RXE_MAX_RD_ATOMIC;
	attr->max_qp_init_rd_atom = RXE_MAX_RD_ATOMIC;
	attr->max_res_rd_atom = RXE_MAX_RD_ATOMIC * RXE_MAX_OBJ;
	attr->max_mcast_grp = RXE_MAX_MCAST_GRP;
	attr->max_mcast_qp_attach = RXE_MAX_MCAST_QP;
	attr->max_total_mcast_qp_attach = RXE_MAX_MCAST_GRP * RXE_MAX_MCAST_QP;
	attr->max_ah = RXE_MAX_AH;
	attr->max_srq = RXE_MAX_OBJ;
	attr->max_srq_wr = RXE_MAX_WR;
	attr->max_srq_sge = RXE_MAX_SRQ_SGE;
	attr->max_fast_reg_page_list_len = RXE_MAX_FAST_REG_PAGES;
	attr->max_pkeys = RXE_PKEY_TBL_LEN;
}

/**
 * rxe_query_device() - what the device is and can do
 * @ib: the device
 * @attr: filled
 * @udata: driver's part of the command, NULL for kernel users
 *
 * Return: 0; -EINVAL: the user passed driver data, of which there is none.
 */
int rxe_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata)
{
	int err = ib_no_udata_io(udata);

	if (err)
		return err;
	memset(attr, 0, sizeof(*attr));
	attr->sys_image_guid = ib->node_guid;
	attr->vendor_id = RXE_VENDOR_ID;
	attr->page_size_cap = ~0ULL << PAGE_SHIFT & U32_MAX;
	attr->device_cap_flags = rxe_device_caps;
	attr->kernel_cap_flags = IBK_ALLOW_USER_UNREG;
	attr->atomic_cap = IB_ATOMIC_HCA;
	attr->local_ca_ack_delay = 15;
	rxe_query_limits(attr);
	rxe_query_odp(attr);
	return 0;
}

static void rxe_query_link(struct ib_port_attr *attr, const struct rxe_dev *dev)
{
	struct net_device *ndev = dev->ndev;

	attr->state = ib_get_curr_port_state(ndev);
	if (attr->state == IB_PORT_ACTIVE)
		attr->phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	else if (ndev->flags & IFF_UP)
		attr->phys_state = IB_PORT_PHYS_STATE_POLLING;
	else
		attr->phys_state = IB_PORT_PHYS_STATE_DISABLED;
}

/* Lanes and their speed that come nearest to a netdev's, slowest first. */
static const struct {
	u32 mbps;
	u16 speed;
	u8 width;
} rxe_speeds[] = {
	{ SPEED_1000, IB_SPEED_SDR, IB_WIDTH_1X },
	{ SPEED_10000, IB_SPEED_FDR10, IB_WIDTH_1X },
	{ SPEED_20000, IB_SPEED_DDR, IB_WIDTH_4X },
	{ SPEED_25000, IB_SPEED_EDR, IB_WIDTH_1X },
	{ SPEED_40000, IB_SPEED_FDR10, IB_WIDTH_4X },
	{ SPEED_50000, IB_SPEED_EDR, IB_WIDTH_2X },
	{ SPEED_100000, IB_SPEED_EDR, IB_WIDTH_4X },
	{ SPEED_200000, IB_SPEED_HDR, IB_WIDTH_4X },
	{ U32_MAX, IB_SPEED_NDR, IB_WIDTH_4X },
};

/* Interfaces that have no speed (dummy, lo) or are about to go: 1 Gbit/s. */
static u32 rxe_netdev_mbps(struct net_device *ndev)
{
	struct ethtool_link_ksettings link = {};
	u32 mbps = SPEED_1000;

	rtnl_lock();
	if (ndev->reg_state == NETREG_REGISTERED &&
	    !__ethtool_get_link_ksettings(ndev, &link) &&
	    link.base.speed != (u32)SPEED_UNKNOWN)
		mbps = link.base.speed;
	rtnl_unlock();
	return mbps;
}

/* As ib_get_eth_speed(), which prints a line for each interface without speed. */
static void rxe_query_speed(struct ib_port_attr *attr, struct net_device *ndev)
{
	u32 mbps = rxe_netdev_mbps(ndev);
	unsigned int i = 0;

	while (mbps > rxe_speeds[i].mbps)
		i++;
	attr->active_speed = rxe_speeds[i].speed;
	attr->active_width = rxe_speeds[i].width;
}

/**
 * rxe_query_port() - the port, as its netdev is now
 * @ib: the device
 * @port: port number, from 1
 * @attr: filled
 *
 * Context: process, may take RTNL (the speed is asked of ethtool).
 * Return: 0.
 */
int rxe_query_port(struct ib_device *ib, u32 port, struct ib_port_attr *attr)
{
	struct rxe_dev *dev = rxe_dev(ib);

	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = READ_ONCE(dev->mtu);
	attr->gid_tbl_len = RXE_GID_TBL_LEN;
	attr->port_cap_flags = IB_PORT_CM_SUP;
	attr->max_msg_sz = RXE_MAX_MSG;
	attr->pkey_tbl_len = RXE_PKEY_TBL_LEN;
	attr->max_vl_num = 1;
	rxe_query_link(attr, dev);
	rxe_query_speed(attr, dev->ndev);
	return 0;
}

static int rxe_query_pkey(struct ib_device *ib, u32 port, u16 index, u16 *pkey)
{
	if (index >= RXE_PKEY_TBL_LEN)
		return -EINVAL;
	*pkey = RXE_DEFAULT_PKEY;
	return 0;
}

static int rxe_get_port_immutable(struct ib_device *ib, u32 port,
				  struct ib_port_immutable *immutable)
{
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP;
	immutable->pkey_tbl_len = RXE_PKEY_TBL_LEN;
	immutable->gid_tbl_len = RXE_GID_TBL_LEN;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static enum rdma_link_layer rxe_get_link_layer(struct ib_device *ib, u32 port)
{
	return IB_LINK_LAYER_ETHERNET;
}

static int rxe_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify)
{
	if (mask & ~(IB_DEVICE_MODIFY_NODE_DESC | IB_DEVICE_MODIFY_SYS_IMAGE_GUID))
		return -EOPNOTSUPP;
	if (mask & IB_DEVICE_MODIFY_SYS_IMAGE_GUID)
		ib->attrs.sys_image_guid = cpu_to_be64(modify->sys_image_guid);
	if (mask & IB_DEVICE_MODIFY_NODE_DESC)
		memcpy(ib->node_desc, modify->node_desc, sizeof(ib->node_desc));
	return 0;
}

/* CM announces itself by a capability bit that is always set here. */
static int rxe_modify_port(struct ib_device *ib, u32 port, int mask,
			   struct ib_port_modify *modify)
{
	if (mask & ~(IB_PORT_INIT_TYPE | IB_PORT_RESET_QKEY_CNTR))
		return -EOPNOTSUPP;
	return 0;
}

static void rxe_get_dev_fw_str(struct ib_device *ib, char *str)
{
	strscpy(str, RXE_VERSION, IB_FW_VERSION_NAME_MAX);
}

static int rxe_alloc_ucontext(struct ib_ucontext *uctx, struct ib_udata *udata)
{
	return ib_no_udata_io(udata);
}

static void rxe_dealloc_ucontext(struct ib_ucontext *uctx)
{
}

/*
 * Lets a device go while users have it open.  Their mappings are plain memory
 * that stays theirs, so there is nothing to take away.
 */
static void rxe_disassociate_ucontext(struct ib_ucontext *uctx)
{
}

static int rxe_alloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	return udata ? ib_no_udata_io(udata) : 0;
}

static int rxe_dealloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	return 0;
}

/* Read by scripts that look for the interface under a device. */
static ssize_t parent_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct rxe_dev *dev = rdma_device_to_drv_device(device, struct rxe_dev, ib);

	return sysfs_emit(buf, "%s\n", dev->ndev->name);
}
static DEVICE_ATTR_RO(parent);

static struct attribute *rxe_device_attrs[] = {
	&dev_attr_parent.attr,
	NULL,
};

static const struct attribute_group rxe_device_group = {
	.attrs = rxe_device_attrs,
};

const struct ib_device_ops rxe_device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_RXE,
	.uverbs_abi_ver = RXE_UVERBS_ABI_VERSION,
	.device_group = &rxe_device_group,

	.enable_driver = rxe_enable_driver,
	.dealloc_driver = rxe_dealloc_driver,
	.query_device = rxe_query_device,
	.modify_device = rxe_modify_device,
	.get_dev_fw_str = rxe_get_dev_fw_str,
	.query_port = rxe_query_port,
	.modify_port = rxe_modify_port,
	.get_port_immutable = rxe_get_port_immutable,
	.get_link_layer = rxe_get_link_layer,
	.query_pkey = rxe_query_pkey,
	.add_gid = rxe_add_gid,
	.del_gid = rxe_del_gid,
	.process_mad = rxe_process_mad,
	.alloc_hw_port_stats = rxe_alloc_hw_port_stats,
	.get_hw_stats = rxe_get_hw_stats,

	.alloc_ucontext = rxe_alloc_ucontext,
	.dealloc_ucontext = rxe_dealloc_ucontext,
	.disassociate_ucontext = rxe_disassociate_ucontext,
	.mmap = rxe_mmap,
	.mmap_free = rxe_mmap_free,
	.alloc_pd = rxe_alloc_pd,
	.dealloc_pd = rxe_dealloc_pd,

	.create_ah = rxe_create_ah,
	.create_user_ah = rxe_create_ah,
	.modify_ah = rxe_modify_ah,
	.query_ah = rxe_query_ah,
	.destroy_ah = rxe_destroy_ah,

	.create_qp = rxe_create_qp,
	.modify_qp = rxe_modify_qp,
	.query_qp = rxe_query_qp,
	.destroy_qp = rxe_destroy_qp,
	.post_send = rxe_post_send,
	.post_recv = rxe_post_recv,
	.attach_mcast = rxe_attach_mcast,
	.detach_mcast = rxe_detach_mcast,

	COMPAT_OPS,
	.destroy_cq = rxe_destroy_cq,
	.poll_cq = rxe_poll_cq,
	.peek_cq = rxe_peek_cq,
	.req_notify_cq = rxe_req_notify_cq,

	.create_srq = rxe_create_srq,
	.modify_srq = rxe_modify_srq,
	.query_srq = rxe_query_srq,
	.destroy_srq = rxe_destroy_srq,
	.post_srq_recv = rxe_post_srq_recv,

	.get_dma_mr = rxe_get_dma_mr,
	.rereg_user_mr = rxe_rereg_user_mr,
	.dereg_mr = rxe_dereg_mr,
	.alloc_mr = rxe_alloc_mr,
	.map_mr_sg = rxe_map_mr_sg,
	.advise_mr = rxe_advise_mr,
	.alloc_mw = rxe_alloc_mw,
	.dealloc_mw = rxe_dealloc_mw,

	.fill_res_qp_entry = rxe_fill_res_qp_entry,
	.fill_res_cq_entry = rxe_fill_res_cq_entry,
	.fill_res_mr_entry = rxe_fill_res_mr_entry,

	INIT_RDMA_OBJ_SIZE(ib_ah, rxe_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, rxe_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_mw, rxe_mw, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, rxe_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, rxe_qp, ib),
	INIT_RDMA_OBJ_SIZE(ib_srq, rxe_srq, ib),
	INIT_RDMA_OBJ_SIZE(ib_ucontext, rxe_ucontext, ib),
};
