/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.c - what the kernel counts of a thread.  window.c has it in the log each time that a
   block is written, and when the thread begins and ends. */
#include "usage.h"

#include "conf.h"
#include "lend.h"
#include "sys.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

#define OF_THREAD 1L		/* RUSAGE_THREAD */

/* The kernel's, on all processors of 64 bits. */
struct usage {
	struct {
		uint64_t s, us;
	} user, system;
	uint64_t max_rss, shared, data, stack, minor, major, swaps, in, out, sent, received, signals,
		voluntary, involuntary;
};

/* What the kernel says of a thread. */
struct answer {
	const char *path;
	char text[512];
	long n;
};

static void read_answer(void *arg)
{
	struct answer *a = arg;
	int fd = iot_sys_openat(AT_FDCWD, a->path, O_RDONLY | O_CLOEXEC, 0);

	a->n = fd < 0 ? 0 : iot_sys_read(fd, a->text, sizeof(a->text) - 1);
	if (fd >= 0)
		iot_sys_close(fd);
}

/* The number behind the next colon; *at: behind it, or NULL if there is none. */
static uint64_t next_number(const char **at)
{
	const char *s = *at;
	uint64_t n = 0;

	while (*s && *s != ':')
		s++;
	if (*s)
		s += s[1] == ' ' ? 2 : 1;
	*at = *s >= '0' && *s <= '9' ? s : NULL;
	for (; *at && **at >= '0' && **at <= '9'; ++*at)
		n = n * 10 + (uint64_t)(**at - '0');
	return n;
}

bool iot_usage_io(uint64_t io[IOT_IO_NUMBERS], uint64_t *cost)
{
	char of_tid[40] = "";
	struct iot_text x = { .buf = of_tid, .cap = sizeof(of_tid) - 1 };
	struct answer a = { .path = of_tid };
	const char *at = a.text;
	bool lent;

	iot_puts(&x, "/proc/self/task/");
	iot_putu(&x, (uint32_t)iot_sys_gettid());
	iot_puts(&x, "/io");
	lent = iot_lent(read_answer, &a);
	if (!lent) {
		/* by this name also where /proc has other numbers */
		a.path = "/proc/thread-self/io";
		read_answer(&a);
	}
	if (a.n <= 0)
		return false;
	*cost = lent ? 0 : (uint64_t)a.n;
	for (unsigned i = 0; i < IOT_IO_NUMBERS; i++) {
		io[i] = next_number(&at);
		if (!at)
			return false;
	}
	return true;
}

/* The words of an IOT_DEF_USAGE, of a thread that has just begun; returns where they end, NULL
   if none are to follow. */
uint64_t *iot_usage_none(uint64_t *p)
{
	uint32_t n = iot_config.cache ? IOT_USAGE_WORDS - 3 : IOT_USAGE_WORDS - 3 - IOT_IO_NUMBERS;

	if (!iot_sys_allowed(SYS_getrusage))
		return NULL;
	*p++ = iot_ticks();
	memset(p, 0, n * sizeof(*p));
	return p + n;
}

/* The same, of one as it is now. */
uint64_t *iot_usage_put(uint64_t *p)
{
	struct usage u;
	uint64_t cost;

	if (iot_syscall(SYS_getrusage, OF_THREAD, &u))
		return NULL;
	*p++ = iot_ticks();
	*p++ = u.user.s * 1000000 + u.user.us;
	*p++ = u.system.s * 1000000 + u.system.us;
	*p++ = u.minor;
	*p++ = u.major;
	*p++ = u.in;
	*p++ = u.out;
	*p++ = u.voluntary;
	*p++ = u.involuntary;
	return iot_config.cache && iot_usage_io(p, &cost) ? p + IOT_IO_NUMBERS : p;
}
