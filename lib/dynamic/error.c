/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.c - error and error_at_line, which may end the program.  libc has no form of them that
 * takes a va_list: so the text is made here, and given to them.  What waited on standard output
 * they write first.
 */
#include "next.h"
#include "stream.h"
#include "sys.h"
#include "wrap.h"
#include "desc_error.h"
#include "desc_error_at_line.h"

typedef void real_error(int status, int errnum, const char *format, ...);
typedef void real_error_at_line(int status, int errnum, const char *file, uint32_t line, const char *format, ...);

#pragma GCC visibility push(hidden)
void iot_hand_error(real_error *real, uint32_t internal, void *frame, int status, int errnum, const char *format,
		    va_list ap);
void iot_hand_error_at_line(real_error_at_line *real, uint32_t internal, void *frame, int status, int errnum,
			    const char *file, uint32_t line, const char *format, va_list ap);
extern int real_fflush(FILE *fp) __asm__("__wrap_fflush");
extern void real_exit(int status) __asm__("__real_exit");
#pragma GCC visibility pop

/* libc's, or where the program has it.  Another libc, such as musl, has none: its programs may be
   given libiotrace.so, too, and would not start if that could not do without. */
extern int error_one_per_line __attribute__((weak));

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

/* A message, from the beginning of its call to its end. */
struct message {
	struct iot_stream was;
	bool recorded;
	char *text, few[SHORT];
	size_t size;
};

/* writes: the message is sure to be written, and what waits on standard output before it. */
static void begin(struct message *m, struct iot_call *c, bool writes, const char *format, va_list ap)
{
	bool counted = m->recorded && (writes || !iot_stream_pending(stdout)) && is_flushed();

	m->text = put_text(m->few, &m->size, format, ap);
	if (counted)
		iot_stream_before(&m->was, c, stderr, 0, NULL);
}

/* status: what the program ends with; 0: it goes on. */
static void end(struct message *m, struct iot_call *c, int status, const uint64_t *arg)
{
	if (m->text != m->few)
		iot_sys_munmap(m->text, m->size);
	if (m->recorded && status) {
		iot_noreturn(c, arg);
		real_exit(status);
	}
	if (m->recorded)
		iot_leave(c, 0, arg);
}

void iot_hand_error(real_error *real, uint32_t internal, void *frame, int status, int errnum, const char *format,
		    va_list ap)
{
	const uint64_t arg[] = { (uint64_t)status, (uint64_t)errnum };
	struct iot_call c IOT_CLEANUP;
	struct message m;

	m.recorded = iot_enter(&c, &IOT_DESC_NAME(error), internal, iot_fileno(stderr), frame);
	begin(&m, &c, true, format, ap);
	real(m.recorded ? 0 : status, errnum, "%s", m.text);
	end(&m, &c, status, arg);
}

/*
 * With error_one_per_line, a second message about a line is left out, and the program goes on
 * whatever the status.  Whether libc left it out, %n tells: libc has looked at the format or not.
 * For a stream that can't be written libc looks at no format: there libc itself ends the program.
 */
void iot_hand_error_at_line(real_error_at_line *real, uint32_t internal, void *frame, int status, int errnum,
			    const char *file, uint32_t line, const char *format, va_list ap)
{
	const uint64_t arg[] = { (uint64_t)status, (uint64_t)errnum, (uintptr_t)file, line };
	const bool always = !&error_one_per_line || !error_one_per_line, ours = !(stderr->_flags & IOT_F_NO_WRITES);
	struct iot_call c IOT_CLEANUP;
	struct message m;
	int looked = -1;

	m.recorded = iot_enter(&c, &IOT_DESC_NAME(error_at_line), internal, iot_fileno(stderr), frame);
	begin(&m, &c, always, format, ap);
	real(m.recorded && ours ? 0 : status, errnum, file, line, "%s%n", m.text, &looked);
	end(&m, &c, always || looked >= 0 ? status : 0, arg);
}
