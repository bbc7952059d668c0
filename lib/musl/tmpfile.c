/* SPDX-License-Identifier: BSD-3-Clause */
/* tmpfile.c - tmpfile: open under a random name, unlink that, then fdopen. */
#include "inside.h"
#include "desc_open.h"
#include "desc_tmpfile.h"
#include "desc_unlink.h"

#pragma GCC visibility push(hidden)
typedef void *tmpfile_fn(void);
void *iot_hand_tmpfile(tmpfile_fn *real, uint32_t internal, void *frame);
#pragma GCC visibility pop

struct making {
	struct iot_inside in;
	char *name;			/* that was made up last */
	int fd;				/* -1: not opened */
};

static void unlinked(struct iot_inside *in)
{
	const uint64_t unlink[] = { (uintptr_t)((struct making *)in)->name };

	iot_inline(&IOT_DESC_NAME(unlink), -1, in->since, 0, unlink);
}

static void opened(struct iot_inside *in, long ret)
{
	struct making *m = (struct making *)in;
	const uint64_t open[] = { (uintptr_t)m->name, O_RDWR | O_CREAT | O_EXCL, 0600 };

	iot_inline(&IOT_DESC_NAME(open), -1, in->since, ret, open);
	in->since = iot_ticks();
	m->fd = (int)ret;
	if (ret >= 0)
		in->next = unlinked;
}

/* Fills in the end of "/tmp/tmpfile_XXXXXX". */
extern char *real_randname(char *) __asm__("__real___randname");
char *wrap_randname(char *) __asm__("__wrap___randname");
char *wrap_randname(char *end)
{
	struct iot_inside *in = iot_inside;

	if (in && in->returned == opened)
		((struct making *)in)->name = end - sizeof("/tmp/tmpfile_") + 1;
	return real_randname(end);
}

void *iot_hand_tmpfile(tmpfile_fn *real, uint32_t internal, void *frame)
{
	struct iot_call c;
	const uint64_t arg[] = { 0 };
	struct making m = { .fd = -1 };
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(tmpfile), internal, -1, frame);
	void *ret;

	iot_go_inside(&m.in, (void *)real, __builtin_frame_address(0), opened);
	ret = real();
	iot_come_outside(&m.in);
	if (!ret && m.fd >= 0)
		iot_inside_closed(&m.in, m.fd);
	if (recorded)
		iot_leave(&c, (long)ret, arg);
	return ret;
}
