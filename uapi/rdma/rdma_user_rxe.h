/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR Linux-OpenIB) */
/*
 * The rxe user ABI, version 2: what the rxe provider of rdma-core and the
 * kernel share.  There are two channels: the driver's part of verbs commands,
 * and the queues, which are rings mapped into the process.
 *
 * Names and layout are given by the library, which exists in every
 * distribution; tests/unit/test_uapi.c holds this file against the system's
 * copy.  All numbers are in host byte order unless typed otherwise.
 */
#ifndef RDMA_USER_RXE_H
#define RDMA_USER_RXE_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/socket.h>
#include <linux/stddef.h>
#include <linux/types.h>

/*
 * Address vectors.  A UD work request names an address handle by number
 * (ah_num); only a library that got no number from create_ah fills in the
 * vector itself.
 */

/* rxe_av.network_type */
enum {
	RXE_NETWORK_TYPE_IPV4 = 1,
	RXE_NETWORK_TYPE_IPV6 = 2,
};

union rxe_gid {
	__u8 raw[16];
	struct {
		__be64 subnet_prefix;
		__be64 interface_id;
	} global;
};

struct rxe_global_route {
	union rxe_gid dgid;
	__u32 flow_label;
	__u8 sgid_index;
	__u8 hop_limit;
	__u8 traffic_class;
};

struct rxe_av {
	__u8 port_num;
	__u8 network_type;
	__u8 dmac[6];
	struct rxe_global_route grh;
	union {
		struct sockaddr_in _sockaddr_in;
		struct sockaddr_in6 _sockaddr_in6;
	} sgid_addr, dgid_addr;
};

/*
 * One work request, the first 144 bytes of a send queue element.  Opcode is an
 * IB_UVERBS_WR_* and decides which member of wr counts; send_flags are
 * IBV_SEND_*.
 */
struct rxe_send_wr {
	__aligned_u64 wr_id;
	__u32 reserved;
	__u32 opcode;
	__u32 send_flags;
	union {
		__be32 imm_data;
		__u32 invalidate_rkey;
	} ex;
	union {
		struct {
			__aligned_u64 remote_addr;
			__u32 rkey;
			__u32 reserved;
		} rdma;
		struct {
			__aligned_u64 remote_addr;
			__aligned_u64 compare_add;
			__aligned_u64 swap;
			__u32 rkey;
			__u32 reserved;
		} atomic;
		struct {
			__aligned_u64 remote_addr;
			__u32 length;	/* unset by the library: see dma.length */
			__u32 rkey;
			__u8 type;	/* placement: IB_FLUSH_* bits */
			__u8 level;	/* selectivity: range or whole MR */
		} flush;
		struct {
			__u32 remote_qpn;
			__u32 remote_qkey;
			__u16 pkey_index;
			__u16 reserved;
			__u32 ah_num;	/* 0: av is used */
			__u32 pad[4];
			struct rxe_av av;
		} ud;
		struct {
			__aligned_u64 addr;
			__aligned_u64 length;
			__u32 mr_lkey;
			__u32 mw_rkey;
			__u32 rkey;
			__u32 access;
		} mw;
#ifdef __KERNEL__
		/* of kernel consumers only: a pointer must not come from a user */
		struct {
			union {
				struct ib_mr *mr;
				__aligned_u64 reserved;
			};
			__u32 key;
			__u32 access;
		} reg;
#endif
	} wr;
};

struct rxe_sge {
	__aligned_u64 addr;
	__u32 length;
	__u32 lkey;
};

/*
 * Where the data of a work request is: num_sge pieces, or length bytes in the
 * element itself.
 */
struct rxe_dma_info {
	__u32 length;
	__u32 resid;
	__u32 cur_sge;
	__u32 num_sge;
	__u32 sge_offset;
	__u32 reserved;
	union {
		__DECLARE_FLEX_ARRAY(__u8, inline_data);
		__DECLARE_FLEX_ARRAY(__u8, atomic_wr);
		__DECLARE_FLEX_ARRAY(struct rxe_sge, sge);
	};
};

/*
 * Elements of send, and of receive and shared receive queues.  What lies
 * between wr and dma was scratch space of a kernel once: no one may rely on it.
 */
struct rxe_send_wqe {
	struct rxe_send_wr wr;
	__u32 status;
	__u32 state;
	__aligned_u64 iova;	/* copy of the remote address */
	__u32 mask;
	__u32 first_psn;
	__u32 last_psn;
	__u32 ack_length;
	__u32 ssn;
	__u32 has_rd_atomic;
	struct rxe_dma_info dma;
};

struct rxe_recv_wqe {
	__aligned_u64 wr_id;
	__u32 reserved;
	__u32 padding;
	struct rxe_dma_info dma;
};

/*
 * The head of a mapped ring: three lines of 128 bytes, so that the two ends
 * don't share a cache line.  There are index_mask + 1 elements in data, each of
 * 1 << log2_elem_size bytes; indices are kept masked, one element stays free.
 * Elements of a completion queue are struct ib_uverbs_wc.
 */
struct rxe_queue_buf {
	__u32 log2_elem_size;
	__u32 index_mask;
	__u32 pad_1[30];
	__u32 producer_index;
	__u32 pad_2[31];
	__u32 consumer_index;
	__u32 pad_3[31];
	__u8 data[];
};

/* What to mmap: offset and length, for the command's file descriptor. */
struct mminfo {
	__aligned_u64 offset;
	__u32 size;
	__u32 pad;
};

/* Answers of the driver, appended to those of the verbs commands. */

struct rxe_create_ah_resp {
	__u32 ah_num;		/* 1 and up */
	__u32 reserved;
};

struct rxe_create_cq_resp {
	struct mminfo mi;
};

struct rxe_resize_cq_resp {
	struct mminfo mi;
};

struct rxe_create_qp_resp {
	struct mminfo rq_mi;	/* zero for a QP with an SRQ */
	struct mminfo sq_mi;
};

struct rxe_create_srq_resp {
	struct mminfo mi;
	__u32 srq_num;
	__u32 reserved;
};

/* With IB_SRQ_MAX_WR: user address of the struct mminfo to fill. */
struct rxe_modify_srq_cmd {
	__aligned_u64 mmap_info_addr;
};

#endif /* RDMA_USER_RXE_H */
