/* SPDX-License-Identifier: BSD-3-Clause */
/* st_open.c - OPEN. */
#include <fcntl.h>

#include "gfortran.h"
#include "sys.h"
#include "desc_OPEN.h"

extern void real(void *) __asm__("__real__gfortran_st_open");
void wrap(struct iot_f_open *p) __asm__("__wrap__gfortran_st_open");

#define LONG 32				/* room for the longest value, and more */
#define TEXT(i, what, which)                                                               \
	(uintptr_t)iot_f_text(text[i], LONG, p->what, p->what##_len, p->common.flags & IOT_F_OPEN_##which)

static void record(struct iot_call *c, const void *params)
{
	const struct iot_f_open *p = params;
	char file[4096], text[16][LONG];
	/* a unit that the runtime was to choose has its number by now */
	uint64_t words[] = { 0, (uint64_t)p->common.unit,
			     (uintptr_t)iot_f_text(file, sizeof(file), p->file, p->file_len,
						   p->common.flags & IOT_F_OPEN_FILE),
			     TEXT(0, status, STATUS), TEXT(1, access, ACCESS), TEXT(2, form, FORM),
			     TEXT(3, action, ACTION), TEXT(4, position, POSITION), TEXT(5, blank, BLANK),
			     TEXT(6, delim, DELIM), TEXT(7, pad, PAD), TEXT(8, convert, CONVERT),
			     TEXT(9, decimal, DECIMAL), TEXT(10, encoding, ENCODING), TEXT(11, round, ROUND),
			     TEXT(12, sign, SIGN), TEXT(13, async, ASYNC), TEXT(14, control, CONTROL),
			     TEXT(15, share, SHARE),
			     p->common.flags & IOT_F_OPEN_READONLY ? (uint64_t)p->readonly : 0,
			     p->common.flags & IOT_F_OPEN_RECL ? (uint64_t)p->recl : 0, 0 };

	iot_f_leave(c, &p->common, words);
}

/* Of a specifier: "append", "APPEND ", ... */
static bool is_append(const char *s, size_t len, bool given)
{
	return given && s && len >= 2 && (s[0] | 32) == 'a' && (s[1] | 32) == 'p';
}

/* Where the unit stands now.  unit: as a transfer had it before, for which there is
   another file now, at most.  fd: its descriptor, or -1. */
static void stands(const struct iot_f_open *p, const char *unit, int fd)
{
	uint32_t flags = p->common.flags;
	struct stat st;

	if (flags & IOT_F_RESULT)
		iot_f_stands(p->common.unit, -1);
	else if (unit)
		iot_f_meet(p->common.unit, unit);
	else if (is_append(p->position, p->position_len, flags & IOT_F_OPEN_POSITION) ||
		 is_append(p->access, p->access_len, flags & IOT_F_OPEN_ACCESS))
		iot_f_stands(p->common.unit,
			     fd >= 0 && iot_sys_fstatat(fd, "", &st, AT_EMPTY_PATH) == 0 ? st.st_size : -1);
	else if (flags & IOT_F_OPEN_NEWUNIT)
		iot_f_stands(p->common.unit, 0);
	else if (iot_f_fresh(p->common.unit))
		iot_f_stands(p->common.unit, -1);
}

void wrap(struct iot_f_open *p)
{
	const char *unit = p->common.flags & IOT_F_OPEN_NEWUNIT ? NULL : iot_f_met(p->common.unit);
	struct iot_call c IOT_CLEANUP;
	int fd;

	iot_f_forget(p->common.unit);
	if (!iot_f_enter(&c, &IOT_DESC_NAME(OPEN), &p->common, -1, __builtin_frame_address(0))) {
		real(p);
		stands(p, unit, -1);
		return;
	}
	iot_f_call(real, p, &c, record);
	/* what was there under the number that it has got now */
	iot_f_forget(p->common.unit);
	fd = p->common.flags & IOT_F_RESULT ? -1 : iot_f_opened(p->common.unit);
	if (fd >= 0)
		iot_f_found(&c, fd);
	stands(p, unit, fd);
	record(&c, p);
}
IOT_EXPORT(_gfortran_st_open)
