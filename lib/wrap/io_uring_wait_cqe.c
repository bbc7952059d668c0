/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io_uring_wait_cqe.c - __io_uring_get_cqe, which liburing's inline functions call to wait for
 * a completion, if there is none yet.  A call that only looks, as a program may make all the
 * time, has a record if it finds something.
 */
#include "uring.h"

#include "desc_io_uring_wait_cqe.h"

#pragma GCC visibility push(hidden)
typedef int get_fn(void *, void *, uint32_t, uint32_t, void *);
int iot_hand_io_uring_wait_cqe(get_fn *real, uint32_t internal, void *frame, void *ring, void *cqe_ptr, uint32_t submit,
				uint32_t wait_nr, void *sigmask);
#pragma GCC visibility pop

int iot_hand_io_uring_wait_cqe(get_fn *real, uint32_t internal, void *frame, void *ring, void *cqe_ptr, uint32_t submit,
				uint32_t wait_nr, void *sigmask)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t words[] = { 0, (uintptr_t)cqe_ptr, submit, wait_nr, (uintptr_t)sigmask };
	int fd = iot_uring_fd(ring), ret;

	c.t = NULL;
	if ((!submit && !wait_nr && !iot_uring_has_news(fd)) ||
	    !iot_enter(&c, &IOT_DESC_NAME(io_uring_wait_cqe), internal, fd, frame))
		return real(ring, cqe_ptr, submit, wait_nr, sigmask);
	if (submit)
		iot_uring_submits(&c, ring, "io_uring_wait_cqe");
	else
		iot_uring_looks(&c);
	ret = real(ring, cqe_ptr, submit, wait_nr, sigmask);
	iot_uring_entered(&c);
	iot_leave(&c, ret, words);
	return ret;
}
