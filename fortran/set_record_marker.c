/* SPDX-License-Identifier: BSD-3-Clause */
/* set_record_marker.c - what main programs say that -frecord-marker= was given for. */
#include "gfortran.h"

extern void real(int) __asm__("__real__gfortran_set_record_marker");
void wrap(int) __asm__("__wrap__gfortran_set_record_marker");

void wrap(int bytes)
{
	iot_f_marker = bytes;
	real(bytes);
}
IOT_EXPORT(_gfortran_set_record_marker)
