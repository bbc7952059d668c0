/* SPDX-License-Identifier: BSD-3-Clause */
/* __stdout_write.c - the first write to standard output asks whether it is a terminal. */
#include "terminal.h"

typedef size_t write_fn(FILE *, const unsigned char *, size_t);
extern write_fn real __asm__("__real___stdout_write");
write_fn wrap __asm__("__wrap___stdout_write");
size_t wrap(FILE *fp, const unsigned char *buf, size_t len)
{
	const struct iot_musl_file *f = iot_musl_file(fp);

	if (!(f->flags & IOT_MUSL_SVB))
		iot_asks_for_terminal(f->fd);
	return real(fp, buf, len);
}
