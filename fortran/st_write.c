/* SPDX-License-Identifier: BSD-3-Clause */
/* st_write.c - WRITE, begin and end. */
#include "gfortran.h"
#include "desc_WRITE.h"

extern void real_begin(struct iot_f_dt *) __asm__("__real__gfortran_st_write");
extern void real_end(struct iot_f_dt *) __asm__("__real__gfortran_st_write_done");
void begin(struct iot_f_dt *) __asm__("__wrap__gfortran_st_write");
void end(struct iot_f_dt *) __asm__("__wrap__gfortran_st_write_done");

void begin(struct iot_f_dt *dt)
{
	iot_f_begin(real_begin, dt, &IOT_DESC_NAME(WRITE), __builtin_frame_address(0));
}
IOT_EXPORT(_gfortran_st_write)

void end(struct iot_f_dt *dt)
{
	iot_f_end(real_end, dt);
}
IOT_EXPORT(_gfortran_st_write_done)
