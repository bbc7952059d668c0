/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * syscall.c - syscall(2): recorded as the call that it makes, with that call's
 * effect on descriptors.  Calls that do no I/O are not recorded.
 */
#include <unistd.h>

#include "seccomp.h"
#include "sys.h"
#include "wrap.h"
#include "raw-rows.h"
#include "desc__exit.h"
#include "desc_syscall.h"

#pragma GCC visibility push(hidden)
typedef long syscall_fn(long, unsigned long, unsigned long, unsigned long, unsigned long,
			unsigned long, unsigned long);
long iot_hand_syscall(syscall_fn *real, uint32_t internal, void *frame, long number,
		      unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		      unsigned long a5, unsigned long a6);
#pragma GCC visibility pop

#define ROW(sys, name) { SYS_##sys, &IOT_DESC_NAME(name) },

static const struct {
	long number;
	const struct iot_desc *desc;
} rows[] = { IOT_RAW_ROWS(ROW) };

/* I/O that has no row is recorded with its number. */
static const uint8_t io[] = {
#define IO 1
#define NO 0
#define SYSCALL(number, name, is_io) [number] = is_io,
#include "../syscalls-x86_64.def"
};

static const struct iot_desc *find(long number)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].number == number)
			return rows[i].desc;
	/* a number that is not listed is newer than the list */
	return number < 0 || (number < (long)sizeof(io) && !io[number]) ? NULL : &IOT_DESC_NAME(syscall);
}

static int about(const struct iot_desc *desc, const unsigned long *a)
{
	for (uint32_t i = 0; i < desc->n; i++)
		if (desc->kind[i] == IOT_K_FD)
			return (int)a[i];
	return -1;
}

/* What has to be done before the call. */
static void prepare(struct iot_thread *t, long number, const unsigned long *a)
{
	if (number == SYS_close)
		iot_fd_closed(t, (int)a[0]);
	else if (number == SYS_close_range && !(a[2] & 4))
		iot_fd_closed_range(t, (uint32_t)a[0], (uint32_t)a[1]);
	else if (number == SYS_dup2 || number == SYS_dup3)
		iot_log_dup2((int)a[1]);
}

static bool makes_process(long number)
{
	return number == SYS_fork || number == SYS_vfork || number == SYS_clone || number == SYS_clone3;
}

long iot_hand_syscall(syscall_fn *real, uint32_t internal, void *frame, long number,
		      unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		      unsigned long a5, unsigned long a6)
{
	struct iot_call c IOT_CLEANUP;
	const unsigned long a[] = { a1, a2, a3, a4, a5, a6 };
	const struct iot_desc *desc = find(number);
	struct iot_seccomp filter;
	struct iot_fork fork;
	bool generic = desc == &IOT_DESC_NAME(syscall);
	uint64_t arg[7] = { a1, a2, a3, a4, a5, a6 };
	long ret;

	c.t = NULL;
	if (iot_seccomp_before(&filter, number, a)) {
		ret = real(number, a1, a2, a3, a4, a5, a6);
		if (ret < 0)
			iot_seccomp_failed(&filter);
		return ret;
	}
	if (number == SYS_close && iot_log_owns((int)a1)) {
		errno = EBADF;
		return -1;
	}
	if (!desc || !iot_enter(&c, desc, internal, generic ? -1 : about(desc, a), frame))
		return real(number, a1, a2, a3, a4, a5, a6);
	if (generic) {
		arg[0] = (uint64_t)number;
		for (int i = 0; i < 6; i++)
			arg[i + 1] = a[i];
	} else {
		for (uint32_t i = 0; i < desc->n; i++)
			if (desc->kind[i] == IOT_K_OFFP)
				arg[i] = iot_offset_at((const int64_t *)a[i]);
	}
	prepare(c.t, number, a);
	if (number == SYS_exit_group || number == SYS_execve || number == SYS_execveat)
		iot_noreturn(&c, arg);
	if (makes_process(number))
		iot_fork_prepare(&fork);
	ret = real(number, a1, a2, a3, a4, a5, a6);
	if (makes_process(number)) {
		if (ret == 0) {
			c.t = NULL;
			iot_fork_child(&fork);
			return 0;
		}
		iot_fork_parent();
	}
	iot_leave(&c, ret, arg);
	return ret;
}
