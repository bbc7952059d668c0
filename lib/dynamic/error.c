/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.c - error, which may end the program.  libc has no form of it that takes a va_list:
 * so the text is made here, and given to it.  What waited on standard output it writes first.
 */
#include "next.h"
#include "stream.h"
#include "sys.h"
#include "wrap.h"
#include "desc_error.h"

typedef void real_fn(int status, int errnum, const char *format, ...);

#pragma GCC visibility push(hidden)
void iot_hand_error(real_fn *real, uint32_t internal, void *frame, int status, int errnum, const char *format,
		    va_list ap);
extern int real_fflush(FILE *fp) __asm__("__wrap_fflush");
extern void real_exit(int status) __asm__("__real_exit");
#pragma GCC visibility pop

#define SHORT 1024u

/* The text, in what it is given or in memory of its own; what is long and finds no memory ends early. */
static char *put_text(char *few, size_t *size, const char *format, va_list ap)
{
	static int (*print)(char *, size_t, const char *, va_list);
	char *text = few;
	va_list again;
	int n;

	if (!print)
		print = (int (*)(char *, size_t, const char *, va_list))iot_next("vsnprintf", NULL);
	va_copy(again, ap);
	*few = '\0';
	n = print(few, SHORT, format, ap);
	*size = (size_t)(n < 0 ? 0 : n) + 1;
	if (*size > SHORT) {
		long at = iot_sys_mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (at > 0) {
			text = (char *)at;
			print(text, *size, format, again);
		}
	}
	va_end(again);
	return text;
}

/* What goes to standard output meanwhile, where another thread may have put something since,
   can't be told from the message. */
static bool is_flushed(void)
{
	if (iot_stream_pending(stdout) || stdout->_mode > 0)
		real_fflush(stdout);
	return !(stdout->_flags2 & IOT_F2_NEED_LOCK) && stdout->_mode <= 0 && !iot_stream_pending(stdout);
}

void iot_hand_error(real_fn *real, uint32_t internal, void *frame, int status, int errnum, const char *format,
		    va_list ap)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)status, (uint64_t)errnum };
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(error), internal, iot_fileno(stderr), frame);
	struct iot_stream was;
	char few[SHORT], *text;
	size_t size;

	if (recorded && is_flushed()) {
		text = put_text(few, &size, format, ap);
		iot_stream_before(&was, &c, stderr, 0, NULL);
	} else {
		text = put_text(few, &size, format, ap);
	}
	real(recorded ? 0 : status, errnum, "%s", text);
	if (text != few)
		iot_sys_munmap(text, size);
	if (recorded && status) {
		iot_noreturn(&c, arg);
		real_exit(status);
	}
	if (recorded)
		iot_leave(&c, 0, arg);
}
