/* SPDX-License-Identifier: BSD-3-Clause */
/* log-header.c - the text that a log begins with: which process it is of, and what
   calls it may have. */
#include "log-header.h"

#include "auxv.h"
#include "desc.h"
#include "host.h"
#include "iotrace-format.h"
#include "own-proc.h"
#include "rank.h"
#include "sys.h"
#include "text.h"
#include "vdso-clock.h"

#include <elf.h>
#include <linux/sysinfo.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

extern __attribute__((visibility("hidden"))) const struct iot_desc __start_iot_calls[], __stop_iot_calls[];
extern __attribute__((visibility("hidden"))) const char __start_iot_text[], __stop_iot_text[],
	__start_iot_kernel[], __stop_iot_kernel[];
extern __attribute__((visibility("hidden"), weak)) const char __start_iot_hot[], __stop_iot_hot[];

/*
 * The executable's path, read once: a forked child may find no /proc where it has
 * gone.  Where there never was one, the name by which it was started.
 */
const char *iot_exe(void)
{
	static iot_own_proc paths = IOT_OWN_PROC("exe");
	static char exe[4096];	/* stacks can be small */
	const char *name;
	long n = -1;

	if (*exe)
		return exe;
	for (int i = 0; n < 0 && i < 2; i++)
		n = iot_sys_readlink(paths[i], exe, sizeof(exe) - 1);
	name = (const char *)iot_auxv(AT_EXECFN);
	if (n <= 0 && name) {
		n = (long)strnlen(name, sizeof(exe) - 1);
		memcpy(exe, name, (size_t)n);
	}
	exe[n > 0 ? n : 0] = 0;
	return exe;
}

const char *iot_program(void)
{
	const char *slash = strrchr(iot_exe(), '/'), *name = slash ? slash + 1 : iot_exe();

	return *name ? name : "unknown";
}

static void put_key(struct iot_text *x, const char *key, const char *value, size_t n)
{
	iot_puts(x, key);
	iot_puts(x, " ");
	iot_put_escaped(x, value, n);
	iot_puts(x, "\n");
}

static uint32_t slurp(const char *path, char *buf, uint32_t cap)
{
	int fd = iot_sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	uint32_t len = 0;
	long n = 0;

	/* what /proc has in one piece comes in one piece: a short one is the last */
	do {
		n = fd < 0 ? 0 : iot_sys_read(fd, buf + len, cap - len);
		len += n > 0 ? (uint32_t)n : 0;
	} while (n > 0 && len < cap && (n & 1023) == 0);
	if (fd >= 0)
		iot_sys_close(fd);
	return len;
}

/* 217532-hello_fortran:176586-hello_c: this process and those that it came from. */
static void put_ancestry(struct iot_text *x, const char *prog, char *buf, uint32_t cap)
{
	uint64_t pid = (uint64_t)iot_syscall(SYS_getppid);

	iot_puts(x, "ancestry ");
	iot_putu(x, (uint64_t)iot_sys_getpid());
	iot_puts(x, "-");
	iot_put_escaped(x, prog, strlen(prog));
	for (int i = 0; i < 16 && pid > 1; i++) {
		char path[IOT_PROC_PATH], *comm, *end;
		uint32_t n;

		iot_proc_path(path, pid, "/stat");
		n = slurp(path, buf, cap - 1);
		buf[n] = 0;
		comm = strchr(buf, '(');
		end = strrchr(buf, ')');
		if (!n || !comm || !end || end < comm)
			break;
		iot_puts(x, ":");
		iot_putu(x, pid);
		iot_puts(x, "-");
		iot_put_escaped(x, comm + 1, (size_t)(end - comm - 1));
		pid = 0;
		for (end += 4; *end >= '0' && *end <= '9'; end++)
			pid = pid * 10 + (uint64_t)(*end - '0');
	}
	iot_puts(x, "\n");
}

static void put_schema(struct iot_text *x)
{
	uint32_t seen[(1u << IOT_CALL_BITS) / 32] = { 0 };

	for (const struct iot_desc *d = __start_iot_calls; d < __stop_iot_calls; d++) {
		if (!d->schema || seen[d->id / 32] >> (d->id % 32) & 1)
			continue;
		seen[d->id / 32] |= 1u << (d->id % 32);
		iot_puts(x, "call ");
		iot_putu(x, d->id);
		iot_puts(x, " ");
		iot_puts(x, d->schema);
		iot_puts(x, "\n");
	}
}

/* What of this boot's clocks nobody sets: which CLOCK_MONOTONIC it is, and how long it stood still. */
static void put_boot_clock(struct iot_text *x)
{
	static iot_own_proc paths = IOT_OWN_PROC("ns/time");
	uint64_t best = ~0ULL, slept = 0;
	char name[64];
	long n = 0;

	if (!iot_sys_allowed(SYS_clock_gettime))
		return;
	for (int i = 0; i < 8 && best > 4096; i++) {
		uint64_t from = iot_clock_ns(CLOCK_MONOTONIC), boot = iot_clock_ns(CLOCK_BOOTTIME),
			 took = iot_clock_ns(CLOCK_MONOTONIC) - from;

		if (took >= best)
			continue;
		best = took;
		slept = boot - from - took / 2;
	}
	for (int i = 0; n <= 0 && i < 2; i++)
		n = iot_sys_readlink(paths[i], name, sizeof(name));
	iot_puts(x, "boot_clock ");
	iot_put_escaped(x, n > 0 ? name : "-", n > 0 ? (size_t)n : 1);
	iot_puts(x, " ");
	iot_putu(x, slept);
	iot_puts(x, "\n");
}

static void put_number(struct iot_text *x, const char *key, long value)
{
	iot_puts(x, key);
	iot_puts(x, " ");
	iot_putu(x, (uint64_t)value);
	iot_puts(x, "\n");
}

/* Processors that it may run on, and bytes of memory. */
static void put_machine(struct iot_text *x)
{
	uint64_t cpus[128];
	struct sysinfo info;
	long n = iot_syscall(SYS_sched_getaffinity, 0L, sizeof(cpus), cpus), cores = 0;

	for (long i = 0; i < n / 8; i++)
		for (; cpus[i]; cpus[i] &= cpus[i] - 1)
			cores++;
	if (cores)
		put_number(x, "cores", cores);
	if (!iot_syscall(SYS_sysinfo, &info))
		put_number(x, "memory", (long)(info.totalram * info.mem_unit));
}

/* Where the recorder's own code lies: what of a stack is there nobody called. */
static void put_own_code(struct iot_text *x, const char *from, const char *to)
{
	iot_puts(x, "recorder ");
	iot_putu(x, (uintptr_t)from);
	iot_puts(x, " ");
	iot_putu(x, (uintptr_t)to);
	iot_puts(x, "\n");
}

/* A process that a rank forked, or what a rank does when its job is over, has the
   rank's clock. */
static void put_clocks(struct iot_text *x)
{
	for (uint32_t i = 0; i < iot_rank.n_clocks; i++) {
		iot_puts(x, "clock");
		for (uint32_t j = 0; j < 3; j++) {
			iot_puts(x, " ");
			iot_putu(x, iot_rank.clock[i][j]);
		}
		iot_puts(x, "\n");
	}
}

void iot_header_text(struct iot_text *x, const struct utsname *uts, void (*settings)(struct iot_text *x))
{
	static const char boot_id[] = "/proc/sys/kernel/random/boot_id";
	const char *exe = iot_exe(), *prog = iot_program();
	/* the end of the text's own room, until the schema comes */
	const uint32_t cap = 32u << 10;
	char *buf = x->buf + (x->cap -= cap);
	static iot_own_proc cmdline = IOT_OWN_PROC("cmdline");
	uint32_t n;

	put_key(x, "program", prog, strlen(prog));
	put_key(x, "exe", exe, strlen(exe));
	put_key(x, "host", uts->nodename, strlen(uts->nodename));
	put_key(x, "kernel", uts->release, strlen(uts->release));
	put_key(x, "arch", uts->machine, strlen(uts->machine));
	put_key(x, "timebase", IOT_TIMEBASE, strlen(IOT_TIMEBASE));
	put_key(x, "version", IOT_VERSION, strlen(IOT_VERSION));
	put_number(x, "uid", iot_syscall(SYS_getuid));
	put_number(x, "gid", iot_syscall(SYS_getgid));
	put_number(x, "ppid", iot_syscall(SYS_getppid));
	if (iot_rank.rank >= 0)
		put_number(x, "rank", iot_rank.rank);
	if (iot_rank.size)
		put_number(x, "size", iot_rank.size);
	put_machine(x);
	put_own_code(x, __start_iot_text, __stop_iot_text);
	put_own_code(x, __start_iot_hot, __stop_iot_hot);
	put_own_code(x, __start_iot_kernel, __stop_iot_kernel);
	put_clocks(x);
	settings(x);
	n = slurp(boot_id, buf, cap);
	put_key(x, "boot_id", buf, n && buf[n - 1] == '\n' ? n - 1 : n);
	put_boot_clock(x);
	n = 0;
	for (int i = 0; !n && i < 2; i++)
		n = slurp(cmdline[i], buf, cap);
	put_key(x, "cmdline", buf, n);
	n = (uint32_t)iot_syscall(SYS_getcwd, buf, (unsigned long)cap);
	put_key(x, "cwd", buf, n && n < cap ? n - 1 : 0);
	put_ancestry(x, prog, buf, cap);
	x->cap += cap;
	put_schema(x);
}
