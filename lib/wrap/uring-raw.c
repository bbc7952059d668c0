/* SPDX-License-Identifier: BSD-3-Clause */
/* uring-raw.c - system calls to an io_uring that the program makes by their number. */
#include "uring.h"

#include "uring-ring.h"

int iot_uring_raw_fd(long number, const unsigned long *a)
{
	return iot_uring_fd_of((int)a[0], number == SYS_io_uring_enter ? a[3] & IOT_ENTER_REGISTERED :
									 a[1] & IOT_REGISTER_BY_INDEX);
}

void iot_uring_raw_begun(const struct iot_call *c, long number, const unsigned long *a)
{
	if (number == SYS_io_uring_enter)
		iot_uring_enters(c, (uint32_t)a[1]);
}

void iot_uring_raw_after(const struct iot_call *c, long number, const unsigned long *a, long ret)
{
	if (number == SYS_io_uring_setup)
		iot_uring_set_up(c, (const void *)a[1], (int)ret);
	else if (number == SYS_io_uring_enter)
		iot_uring_entered(c);
	else if (number == SYS_io_uring_register)
		iot_uring_registered(c, (uint32_t)a[1], (const void *)a[2], (uint32_t)a[3], (int)ret);
}
