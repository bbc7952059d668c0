/* SPDX-License-Identifier: BSD-3-Clause */
/* dup3.c - dup3, which without flags is dup2. */
#include "dup3.h"

#include "desc_dup3.h"
#include "desc_iot_dup3_dup2.h"

int iot_hand_dup3(dup3_fn *real, uint32_t internal, void *frame, int oldfd, int newfd, int flags)
{
	const struct iot_desc *desc = flags ? &IOT_DESC_NAME(dup3) : &IOT_DESC_NAME(iot_dup3_dup2);

	return iot_dup3(real, desc, oldfd == newfd, internal, frame, oldfd, newfd, flags);
}
