/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf-abi.h - what of perf_event_open(2) is used here, as the kernel has it.  <linux/perf_event.h>
 * would do, but musl comes without the kernel's headers, and old ones lack what new kernels have.
 */
#ifndef IOT_PERF_ABI_H
#define IOT_PERF_ABI_H

#include <stdint.h>

struct iot_perf_attr {
	uint32_t type, size;
	uint64_t config, period, sample_type, read_format, flags;
	uint32_t watermark, bp_type;
	uint64_t bp_addr, bp_len, branch_type, regs_user;
	uint32_t stack_user;
	int32_t clockid;
	uint64_t regs_intr;
	uint32_t aux_watermark;
	uint16_t max_stack, reserved;
	uint32_t aux_sample, aux_action;
};

#define IOT_PERF_SOFTWARE	1u
#define IOT_PERF_FAULTS_MIN	5u
#define IOT_PERF_FAULTS_MAJ	6u

/* what samples tell, in this order but that the identifier comes first */
#define IOT_PERF_IP		(1u << 0)
#define IOT_PERF_TID		(1u << 1)
#define IOT_PERF_TIME		(1u << 2)
#define IOT_PERF_ADDR		(1u << 3)
#define IOT_PERF_CALLCHAIN	(1u << 5)
#define IOT_PERF_REGS_USER	(1u << 12)
#define IOT_PERF_STACK_USER	(1u << 13)
#define IOT_PERF_IDENTIFIER	(1u << 16)

/* flags */
#define IOT_PERF_DISABLED	(1ULL << 0)
#define IOT_PERF_INHERIT	(1ULL << 1)
#define IOT_PERF_NO_KERNEL	(1ULL << 5)
#define IOT_PERF_NO_HV		(1ULL << 6)
#define IOT_PERF_MMAP		(1ULL << 8)
#define IOT_PERF_TASK		(1ULL << 13)
#define IOT_PERF_WATERMARK	(1ULL << 14)
#define IOT_PERF_MMAP_DATA	(1ULL << 17)
#define IOT_PERF_ID_ALL		(1ULL << 18)
#define IOT_PERF_NO_KERNEL_CHAIN (1ULL << 21)
#define IOT_PERF_MMAP2		(1ULL << 23)
#define IOT_PERF_CLOCKID	(1ULL << 25)
#define IOT_PERF_LEAVE_ON_EXEC	(1ULL << 36)	/* Linux 5.13 */

#define IOT_PERF_CLOEXEC	8UL

#define IOT_PERF_ENABLE		0x2400UL
#define IOT_PERF_INTO		0x2405UL
#define IOT_PERF_ID		0x80082407UL

/* types of what is in a ring */
#define IOT_PERF_R_EXIT		4u
#define IOT_PERF_R_FORK		7u
#define IOT_PERF_R_SAMPLE	9u
#define IOT_PERF_R_MMAP2	10u

/* bits of a record's misc: where the processor was */
#define IOT_PERF_MODES		7u
#define IOT_PERF_IN_KERNEL	1u

/* in call chains: what follows is user code; from here on such markers */
#define IOT_PERF_CONTEXT	(-4095ULL)

struct iot_perf_record {
	uint32_t type;
	uint16_t misc, size;
};

/* The first page of a ring, as far as it matters. */
struct iot_perf_page {
	uint8_t before[1024];
	uint64_t head, tail, data_offset, data_size;
};

#endif
