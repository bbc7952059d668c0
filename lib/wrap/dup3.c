/* SPDX-License-Identifier: BSD-3-Clause */
/* dup3.c - dup3. */
#include "dup3.h"

#include "python.h"

#include "desc_dup3.h"

/* In a static executable Python is, if it is there, among those who call dup3: others do
   without what reads an interpreter's frames. */
#ifndef IOT_DYNAMIC
static void (*const python)(void) __attribute__((used)) = iot_python_here;
#endif

int iot_hand_dup3(dup3_fn *real, uint32_t internal, void *frame, int oldfd, int newfd, int flags)
{
	return iot_dup3(real, &IOT_DESC_NAME(dup3), false, internal, frame, oldfd, newfd, flags);
}
