/* SPDX-License-Identifier: BSD-3-Clause */
/* __stdout_write.c - the first write to standard output asks whether it is a terminal,
   then goes the way of all. */
#include "terminal.h"

struct asking {
	struct iot_inside in;
	int fd;
};

static void asked(struct iot_inside *in)
{
	iot_asked_for_terminal(((struct asking *)in)->fd, in->since);
}

typedef size_t write_fn(FILE *, const unsigned char *, size_t);
extern write_fn real __asm__("__real___stdout_write");
write_fn wrap __asm__("__wrap___stdout_write");
size_t wrap(FILE *fp, const unsigned char *buf, size_t len)
{
	struct asking a = { .fd = iot_musl_file(fp)->fd };
	size_t ret;

	if (iot_musl_file(fp)->flags & IOT_MUSL_SVB)
		return real(fp, buf, len);
	iot_go_inside(&a.in, (void *)real, __builtin_frame_address(0), iot_inside_only);
	a.in.next = asked;
	ret = real(fp, buf, len);
	iot_come_outside(&a.in);
	return ret;
}
