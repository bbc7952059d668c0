/* SPDX-License-Identifier: BSD-3-Clause */
/* st_open.c - OPEN. */
#include "gfortran.h"
#include "desc_OPEN.h"

extern void real(struct iot_f_open *) __asm__("__real__gfortran_st_open");
void wrap(struct iot_f_open *) __asm__("__wrap__gfortran_st_open");

#define TEXT(what, which)                                                                  \
	(uintptr_t)iot_f_text(what, sizeof(what), p->what, p->what##_len,                  \
			      p->common.flags & IOT_F_OPEN_##which)

static void leave(struct iot_call *c, const struct iot_f_open *p)
{
	char file[4096], status[16], access[16], form[16], action[16];
	/* a unit that the runtime was to choose has its number by now */
	uint64_t words[] = { 0, (uint64_t)p->common.unit, TEXT(file, FILE), TEXT(status, STATUS),
			     TEXT(access, ACCESS), TEXT(form, FORM), TEXT(action, ACTION),
			     p->common.flags & IOT_F_OPEN_RECL ? (uint64_t)p->recl : 0, 0 };

	iot_f_leave(c, &p->common, words);
}

void wrap(struct iot_f_open *p)
{
	struct iot_call c IOT_CLEANUP;
	int fd;

	iot_f_forget(p->common.unit);
	if (!iot_f_enter(&c, &IOT_DESC_NAME(OPEN), &p->common, -1, __builtin_frame_address(0))) {
		real(p);
		return;
	}
	real(p);
	/* what was there under the number that it has got now */
	iot_f_forget(p->common.unit);
	fd = p->common.flags & IOT_F_RESULT ? -1 : iot_f_opened(p->common.unit);
	if (fd >= 0)
		iot_f_found(&c, fd);
	leave(&c, p);
}
IOT_EXPORT(_gfortran_st_open)
