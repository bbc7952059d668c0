/* SPDX-License-Identifier: BSD-3-Clause */
/* raw.c - rows for system calls by number. */
#include "raw.h"

#include <sys/mman.h>
#include <unistd.h>

#include "libaio.h"
#include "uring.h"
#include "wrap.h"
#include "raw-rows.h"
#include "desc__exit.h"
#include "desc_syscall.h"

/* I/O that has no row is recorded with its number. */
static const uint8_t io[] = {
#define IO 1
#define NO 0
#define SYSCALL(number, name, is_io) [number] = is_io,
#include "arch-syscalls.h"
};

const struct iot_desc *iot_raw_row(long number)
{
	switch (number) {
#define ROW(sys, name)   \
	case SYS_##sys: \
		return &IOT_DESC_NAME(name);
	IOT_RAW_ROWS(ROW)
	}
	/* a number that is not listed is newer than the list */
	return number < 0 || (number < (long)sizeof(io) && !io[number]) ? NULL : &IOT_DESC_NAME(syscall);
}

/* One that submits to a ring of which nothing is known, but its number, is recorded with that. */
const struct iot_desc *iot_raw_row_of(long number, const unsigned long *a)
{
	const struct iot_desc *desc = iot_raw_row(number);

	return number == SYS_io_uring_enter && !iot_uring_is_known(iot_uring_raw_fd(number, a)) ?
		       &IOT_DESC_NAME(syscall) : desc;
}

bool iot_raw_is_memory(long number, const unsigned long *a)
{
	switch (number) {
#define MEMORY(sys, memory) \
	case SYS_##sys:     \
		return (memory) && iot_no_memory();
	IOT_RAW_MEMORY(MEMORY)
	}
	return false;
}

int iot_raw_fd(const struct iot_desc *desc, const unsigned long *a)
{
	for (uint32_t i = 0; i < desc->n && desc != &IOT_DESC_NAME(syscall); i++)
		if (desc->kind[i] == IOT_K_FD)
			return desc->effect == IOT_E_RING ? iot_uring_raw_fd(desc->sys - 1, a) : (int)a[i];
	return -1;
}

void iot_raw_args(const struct iot_desc *desc, long number, const unsigned long *a, uint64_t arg[7])
{
	uint32_t i;

	if (desc == &IOT_DESC_NAME(syscall)) {
		arg[0] = (uint64_t)number;
		for (i = 0; i < 6; i++)
			arg[i + 1] = a[i];
		return;
	}
	iot_raw_words(desc, a, arg);
	/* behind the other half of the offset */
	if (number == SYS_preadv2 || number == SYS_pwritev2)
		arg[4] = a[5];
}

void iot_raw_begun(struct iot_call *c, long number, const unsigned long *a)
{
	if (number == SYS_pwritev2 && a[5] & IOT_RWF_APPEND)
		c->end = iot_end_of(c->fd);
	if (c->desc->effect == IOT_E_RING)
		iot_uring_raw_begun(c, number, a);
	else if (c->desc->family == IOT_AIO)
		iot_linux_aio_begun(c, number, a);
}

void iot_raw_after(const struct iot_call *c, long number, const unsigned long *a, long ret)
{
	if (c->desc->effect == IOT_E_RING)
		iot_uring_raw_after(c, number, a, ret);
	else if (c->desc->family == IOT_AIO)
		iot_linux_aio(c, number, a, ret);
}

long iot_raw_result(const struct iot_desc *desc, const unsigned long *a, long ret)
{
	/* the kernel returns the length */
	if (desc->result == IOT_R_CWD)
		return ret < 0 ? 0 : (long)a[0];
	return ret;
}

void iot_raw_before(struct iot_thread *t, const struct iot_desc *desc, long number, const unsigned long *a)
{
	for (uint32_t i = 0; i < desc->n && desc->effect == IOT_E_MOVES; i++)
		if (desc->kind[i] == IOT_K_FD || desc->kind[i] == IOT_K_FD2)
			iot_fd_shared((int)a[i]);
	if (number == SYS_close)
		iot_fd_closed(t, (int)a[0]);
	else if (number == SYS_close_range && !(a[2] & 4))
		iot_fd_closed_range(t, (uint32_t)a[0], (uint32_t)a[1]);
	else if (number == SYS_dup2 || number == SYS_dup3)
		iot_log_dup2((int)a[1]);
	else if (number == SYS_fcntl)
		iot_log_before_fcntl((int)a[1], (long)a[2]);
	else if (number == SYS_recvmsg)
		iot_log_before_rights();
	else if (number == SYS_recvmmsg)
		iot_fds_expected((int)a[0], (const void *)a[1], (uint32_t)a[2]);
	else if (number == SYS_sendmsg)
		iot_fds_sent((const void *)a[1]);
	else if (number == SYS_sendmmsg)
		iot_fds_sent_many((const void *)a[1], (uint32_t)a[2]);
	else if (number == SYS_pidfd_getfd)
		iot_fd_shared((int)a[1]);
}
