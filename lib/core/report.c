/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - see report.h. */
#include "report.h"

#include "ancestors.h"
#include "host.h"
#include "rank.h"
#include "sys.h"
#include "text.h"

#include <string.h>
#include <time.h>

/*
 * To standard error, if that takes it at once: the program may not be killed or stopped for our
 * lines, nor wait.  With signals blocked a terminal stops nobody (SIGTTOU).  A pipe that
 * nobody reads and a file at its limit leave a signal behind, which is taken back; where one
 * waits already, it could not be told from ours.
 */
static void say(const char *line, uint32_t n)
{
	const uint64_t ours = IOT_SIGNAL(SIGPIPE) | IOT_SIGNAL(SIGXFSZ);
	const uint64_t signals = iot_sys_block_signals();
	struct timespec now = { 0 };
	uint64_t wait = ours;
	unsigned long set = 1ul << 2;	/* poll(2) takes no descriptor if the limit is 0 */

	if (signals != ~0ULL && iot_sys_allowed(SYS_rt_sigtimedwait) &&
	    iot_syscall(SYS_rt_sigpending, &wait, sizeof(wait)) == 0 && !(wait & ours) &&
	    iot_syscall(SYS_pselect6, 3L, (void *)NULL, &set, (void *)NULL, &now, (void *)NULL) == 1 &&
	    iot_sys_write(2, line, n) < 0) {
		now = (struct timespec){ 0 };
		iot_syscall(SYS_rt_sigtimedwait, &ours, (void *)NULL, &now, sizeof(ours));
	}
	iot_sys_restore_signals(signals);
}

void iot_report(const char *what, const char *detail, const char *then)
{
	char line[1024];
	struct iot_text x = { .buf = line, .cap = sizeof(line) - 1 };

	iot_puts(&x, "iotrace: ");
	iot_puts(&x, what);
	iot_puts(&x, detail);
	iot_puts(&x, then);
	line[x.len++] = '\n';
	say(line, x.len);
}

/* --- once for a job -------------------------------------------------------- */

/* For has_said(). */
struct said {
	const char *name, *value;	/* name NULL: whatever it has in the environment */
};

static bool has_said(uint64_t pid, char *buf, uint32_t cap, void *arg)
{
	const struct said *s = arg;

	if (s->name && !iot_proc_has_setting(pid, s->name, s->value, buf, cap))
		return false;
	iot_read_proc(pid, "/maps", buf, cap);
	return strstr(buf, ".iotrace\n");
}

/* Whether somebody else of the job has said it, who is recorded and has the same in the environment. */
static bool is_said(const char *name, const char *value)
{
	struct said s = { name, value };

	iot_rank_find(iot_environ());
	return iot_rank.rank > 0 || iot_ancestors(has_said, &s);
}

void iot_report_once(const char *what, const char *detail, const char *then)
{
	if (!is_said(NULL, NULL))
		iot_report(what, detail, then);
}

void iot_report_setting(const char *name, const char *value, const char *why, const char *then)
{
	char detail[256];
	struct iot_text x = { .buf = detail, .cap = sizeof(detail) - 1 };

	if (is_said(name, value))
		return;
	iot_puts(&x, name);
	iot_puts(&x, "=");
	/* a long one must leave room for what is wrong with it */
	iot_put_escaped(&x, value, strnlen(value, 30));
	iot_puts(&x, value[strnlen(value, 30)] ? "...: " : ": ");
	iot_puts(&x, why);
	detail[x.len] = 0;
	iot_report(detail, "", then);
}

void iot_report_slip(const char *entry, const char *name)
{
	char slip[40];
	struct iot_text x = { .buf = slip, .cap = sizeof(slip) - 1 };
	const size_t n = strcspn(entry, "=");

	iot_putn(&x, entry, n);
	slip[x.len] = 0;
	if (!is_said(slip, entry + n + 1))
		iot_report(slip, " is no setting; the nearest is ", name);
}
