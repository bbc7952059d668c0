/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-abi.h - what the kernel and a program have in common of an io_uring, as far as it is
 * looked at.  Its own headers may be older than the kernel, and musl comes without them.
 */
#ifndef IOT_URING_ABI_H
#define IOT_URING_ABI_H

#include <stdint.h>

struct iot_sqe {
	uint8_t opcode, flags;
	uint16_t ioprio;
	int32_t fd;
	uint64_t off, addr;
	uint32_t len, op_flags;
	uint64_t user_data;
	uint16_t buf_index, personality;
	uint32_t file_index;		/* splice has its other descriptor there */
	uint64_t addr3, pad;
};

struct iot_cqe {
	uint64_t user_data;
	int32_t res;
	uint32_t flags;
};

struct iot_uring_params {
	uint32_t sq_entries, cq_entries, flags, sq_thread_cpu, sq_thread_idle, features, wq_fd, resv[3];
	struct {
		uint32_t head, tail, ring_mask, ring_entries, flags, dropped, array, resv;
		uint64_t user_addr;
	} sq;
	struct {
		uint32_t head, tail, ring_mask, ring_entries, overflow, cqes, flags, resv;
		uint64_t user_addr;
	} cq;
};

/* liburing's struct io_uring, in all versions of liburing.so.2 */
struct iot_liburing {
	struct {
		uint32_t *khead, *ktail, *kring_mask, *kring_entries, *kflags, *kdropped, *array;
		struct iot_sqe *sqes;
		uint32_t sqe_head, sqe_tail;	/* those that it has not told the kernel of yet */
		uint64_t ring_sz;
		char *ring_ptr;
		uint32_t mask, entries, pad[2];
	} sq;
	struct {
		uint32_t *khead, *ktail, *kring_mask, *kring_entries, *kflags, *koverflow;
		char *cqes;
		uint64_t ring_sz;
		char *ring_ptr;
		uint32_t mask, entries, pad[2];
	} cq;
	uint32_t flags;
	int32_t ring_fd;
	uint32_t features;
	int32_t enter_ring_fd;		/* its index, once it is registered */
	uint8_t int_flags;
};
#define IOT_LIB_INDEXED (1u << 0)	/* it is registered */

#define IOT_OFF_SQ_RING	0ULL
#define IOT_OFF_CQ_RING	0x8000000ULL
#define IOT_OFF_SQES	0x10000000ULL

/* of a ring */
#define IOT_SETUP_IOPOLL	(1u << 0)
#define IOT_SETUP_SQPOLL	(1u << 1)
#define IOT_SETUP_SQE128	(1u << 10)
#define IOT_SETUP_CQE32		(1u << 11)
#define IOT_SETUP_NO_MMAP	(1u << 14)
#define IOT_SETUP_INDEX_ONLY	(1u << 15)	/* it has no descriptor */
#define IOT_SETUP_NO_SQARRAY	(1u << 16)
#define IOT_SETUP_CQE_MIXED	(1u << 18)
#define IOT_FEAT_SINGLE_MMAP	(1u << 0)
#define IOT_FEAT_EXT_ARG	(1u << 8)
#define IOT_FEAT_BY_INDEX	(1u << 13)	/* it is registered with by its index, too */

/* of a request */
#define IOT_SQE_FIXED_FILE	(1u << 0)
#define IOT_SQE_BUFFER_SELECT	(1u << 5)
#define IOT_SQE_SKIP_SUCCESS	(1u << 6)
#define IOT_FILE_ALLOC		0xffffffffu	/* file_index: the kernel chooses */
#define IOT_MSG_SEND_FD		1u		/* of MSG_RING, in addr: a registered file goes to another ring */
#define IOT_SPLICE_REGISTERED	(1u << 31)	/* op_flags: what is read is a registered file */
#define IOT_RECV_MULTISHOT	(1u << 1)	/* ioprio */
#define IOT_RECV_HEAD		16u		/* struct io_uring_recvmsg_out; name and control data follow */

/* of a completion */
#define IOT_CQE_MORE	(1u << 1)
#define IOT_CQE_NOTIF	(1u << 3)
#define IOT_CQE_FILLER	(1u << 5)
#define IOT_CQE_32	(1u << 15)
#define IOT_CQE_FLAGS	0xffffu			/* above is the buffer's number */
#define IOT_CQE_HELD	(1u << 16)		/* in records: the queue was full, so it came late */

/* in the flags of the queue of requests: the kernel holds completions back */
#define IOT_SQ_CQ_OVERFLOW (1u << 1)

#define IOT_ENTER_GETEVENTS	(1u << 0)
#define IOT_ENTER_REGISTERED	(1u << 4)

enum {
	IOT_REGISTER_FILES = 2, IOT_UNREGISTER_FILES = 3, IOT_REGISTER_FILES_UPDATE = 6,
	IOT_REGISTER_FILES2 = 13, IOT_REGISTER_FILES_UPDATE2 = 14, IOT_REGISTER_RING_FDS = 20,
	IOT_UNREGISTER_RING_FDS = 21, IOT_REGISTER_RESIZE_RINGS = 33,
};
#define IOT_REGISTER_BY_INDEX	(1u << 31)	/* with the opcode: the descriptor is an index */
#define IOT_REGISTER_SKIP	(-2)		/* in place of a descriptor: that file stays */

struct iot_files_update {
	uint32_t offset, resv;
	uint64_t fds;
};

struct iot_rsrc_register {
	uint32_t nr, flags;
	uint64_t resv2, data, tags;
};

struct iot_rsrc_update2 {
	uint32_t offset, resv;
	uint64_t data, tags;
	uint32_t nr, resv2;
};

#endif
