/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter.c - seccomp filters of the program's.  One that forbids rt_sigreturn would
 * kill each thread that returns from our handler, those too that it is imposed on
 * and that are in the handler now.  So instructions of ours come before the
 * program's: they let pass the one rt_sigreturn that the handler returns by, and
 * leave everything else to the filter.  Where there is no room for them, the thread
 * that installs the filter is left to itself.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "arena.h"
#include "dispatch.h"
#include "seccomp.h"

#define FIELD(member, half) (offsetof(struct seccomp_data, member) + 4 * (half))
#define LOAD(k)		    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, k)
#define N_OURS		    10
/* on to the next instruction if they are equal, else to the program's */
#define IF_EQUAL(at, k)	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, N_OURS - 1 - (at) - 1)

static bool has_filter(const struct iot_request *r)
{
	if (r->number == SYS_prctl)
		return r->a[0] == PR_SET_SECCOMP && r->a[1] == SECCOMP_MODE_FILTER;
	return r->a[0] == SECCOMP_SET_MODE_FILTER;
}

/* The program's filter behind ours, unless there is no memory for it.  Returns false if
   the kernel will not take what the program has. */
static bool extend(struct sock_fprog *both, const struct iot_request *r)
{
	const uint64_t at = (uintptr_t)iot_sigreturned;
	/* the program's instructions find A as it is at the beginning, 0 */
	const struct sock_filter ours[N_OURS] = {
		LOAD(FIELD(arch, 0)),
		IF_EQUAL(1, IOT_AUDIT_ARCH),
		LOAD(FIELD(nr, 0)),
		IF_EQUAL(3, SYS_rt_sigreturn),
		LOAD(FIELD(instruction_pointer, 0)),
		IF_EQUAL(5, (uint32_t)at),
		LOAD(FIELD(instruction_pointer, 1)),
		IF_EQUAL(7, (uint32_t)(at >> 32)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_IMM, 0),
	};
	struct sock_fprog theirs;

	both->filter = NULL;
	if (!has_filter(r) || !iot_take(&theirs, (const void *)r->a[2], sizeof(theirs)) || !theirs.len ||
	    theirs.len > BPF_MAXINSNS)
		return false;
	both->len = (unsigned short)(theirs.len + N_OURS);
	both->filter = iot_map(both->len * sizeof(*ours));
	if (!both->filter)
		return true;
	memcpy(both->filter, ours, sizeof(ours));
	if (iot_take(both->filter + N_OURS, theirs.filter, theirs.len * sizeof(*ours)))
		return true;
	iot_unmap(both->filter, both->len * sizeof(*ours));
	both->filter = NULL;
	return false;
}

/* As iot_process_call. */
bool iot_filter_call(struct iot_request *r)
{
	const unsigned long theirs = r->a[2];
	struct iot_seccomp before;
	struct sock_fprog both;
	/* at once: with the filter there may be no call to get memory by */
	bool is = extend(&both, r);
	long ret = -ENOMEM;

	if (!iot_seccomp_before(&before, r->number, r->a))
		return false;
	if (both.filter) {
		r->a[2] = (unsigned long)&both;
		ret = iot_make(r->number, r->a);
		r->a[2] = theirs;
		iot_unmap(both.filter, both.len * sizeof(*both.filter));
	}
	/* no memory, or too long with ours: the program's alone */
	if (ret == -ENOMEM || ret == -EINVAL) {
		if (is && !iot_sys_allowed(SYS_rt_sigreturn)) {
			iot_give_up(r, true);
			return true;
		}
		ret = iot_make(r->number, r->a);
	}
	iot_seccomp_after(&before, ret);
	iot_machine_return(r->context, ret);
	return true;
}
