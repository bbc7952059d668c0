/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sigbus.c - a store to the mapped log finds that there is no page: somebody has cut
 * the file short, or the file system does not have the space that it promised (NFS,
 * copy-on-write).  That raises SIGBUS, which would kill the program.  So there is
 * a handler for it, as long as the program has none: private memory takes the
 * place of what is gone, and the calls that it then holds are counted as lost.  A
 * SIGBUS that is none of ours kills as it always did.
 *
 * Nothing else would do: seals are for files in memory, a lease stops the program
 * by a signal of its own, and space that is reserved can still be taken away.
 */
#include "sigbus.h"

#include "conf.h"
#include "log-share.h"
#include "sys.h"
#include "thread-memory.h"
#include "thread.h"
#include "window-pool.h"

#include <string.h>
#include <sys/mman.h>

/* as the kernel has it */
struct action {
	void (*handler)(int, siginfo_t *, void *);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};
#define RESTORER 0x04000000

static long replace(void *at, uint32_t size)
{
	return iot_syscall(IOT_ALWAYS | SYS_mmap, at, (long)size, (long)(PROT_READ | PROT_WRITE),
			   (long)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED), -1L, 0L);
}

/* Runs in the middle of a store; puts zeroed memory under it. */
static bool ours(uintptr_t at)
{
	struct iot_thread *t = iot_thread_with(at);
	uint32_t size = t ? t->size : 0;
	void *win = t ? t->win : iot_window_around(at, &size);

	if (win) {
		if (IOT_FAILED(replace(win, size)))
			return false;
		iot_window_spoil(win);
		/* every record goes to iot_window_flush, which counts it */
		if (t) {
			t->gone = t->used + 1;
			t->cap = 0;
		}
		return true;
	}
	if (at - (uintptr_t)iot_header >= IOT_HEADER_SIZE || IOT_FAILED(replace(iot_header, IOT_HEADER_SIZE)))
		return false;
	/* without it nobody can read the log */
	iot_config.limit = 1;
	return true;
}

static void on_bus(int sig, siginfo_t *info, void *context)
{
	struct action standard = { 0 };

	(void)context;
	if (info->si_code == BUS_ADRERR && ours((uintptr_t)info->si_addr))
		return;
	if (iot_syscall(IOT_ALWAYS | SYS_rt_sigaction, (long)sig, &standard, (void *)NULL, sizeof(uint64_t)) < 0)
		__builtin_trap();
	/* what the program did, it does again on return; a signal was sent once */
	if (info->si_code != BUS_ADRERR && info->si_code != BUS_ADRALN && info->si_code != BUS_OBJERR)
		iot_syscall(IOT_ALWAYS | SYS_tgkill, (long)iot_sys_getpid(), (long)iot_sys_gettid(), (long)sig);
}

void iot_bus_start(void)
{
	struct action is, mine = { .handler = on_bus, .restorer = iot_sigreturn,
				   .flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | RESTORER };

	if (iot_syscall(SYS_rt_sigaction, (long)SIGBUS, (void *)NULL, &is, sizeof(is.mask)) == 0 && !is.handler)
		iot_syscall(SYS_rt_sigaction, (long)SIGBUS, &mine, (void *)NULL, sizeof(mine.mask));
}
