/* SPDX-License-Identifier: BSD-3-Clause */
/* async_worker.c - what the thread of an asynchronous unit calls, in libgfortran.a.
   Weak, since programs that do no I/O do without. */
#include "gfortran.h"

#define WRAP(which, name)                                                                  \
	extern void real_##which(void *, long, long) __asm__("__real_" #name)              \
		__attribute__((weak));                                                     \
	void which(void *, long, long) __asm__("__wrap_" #name);                           \
	IOT_EXPORT(name)

WRAP(begin, _gfortrani_data_transfer_init_worker)
WRAP(end_read, _gfortrani_st_read_done_worker)
WRAP(end_write, _gfortrani_st_write_done_worker)
WRAP(error, _gfortrani_generate_error)

void begin(void *dt, long reads, long none)
{
	iot_f_work(((struct iot_f_dt *)dt)->current_unit, __builtin_frame_address(0));
	real_begin(dt, reads, none);
}

/* what there is besides the parameters depends on the release */
void end_read(void *dt, long rest, long none)
{
	real_end_read(dt, rest, none);
	iot_f_worked();
}

void end_write(void *dt, long rest, long none)
{
	real_end_write(dt, rest, none);
	iot_f_worked();
}

/* If it is the thread's, it is told by the statement that waits; the transfer has no
   other end. */
void error(void *common, long number, long message)
{
	iot_f_failed(common, number == IOT_F_OS_ERROR ? errno : (int)number);
	real_error(common, number, message);
	iot_f_worked();
}

#ifndef IOT_DYNAMIC
/*
 * What the recorder of a dynamic executable tells the wrappers of libgfortran.so.  With
 * libgfortran.a there is nothing to tell; but gold leaves hidden functions that are not
 * there to the loader, which takes them for the program's beginning.
 */
void iot_f_beneath(const struct iot_call *c, const uint64_t *arg)
{
	(void)c;
	(void)arg;
}

bool iot_f_creates(void *fn)
{
	(void)fn;
	return false;
}

void iot_f_runs(const char *unit)
{
	(void)unit;
}
#endif
