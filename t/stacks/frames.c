/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frames.c - the stacks of a program as elfutils' unwinder has them, from outside.
 *
 *	frames OUTPUT PROGRAM ARGUMENT...
 *
 * runs the program, stops all of its threads and children at each system call, and writes
 * what libdw says of the stack:
 *
 *	f PID PC MODULE NAME		what lies there, before it is first used
 *	s TIME PID TID PC...		a system call is about to be made
 *
 * TIME is that of CLOCK_REALTIME.  PC is a return address; of what a signal interrupted it
 * is the next instruction, plus 1, as a log has it; the first is where the thread is.
 * FRAMES_ONLY, in the environment, is a program: only its stacks are taken.
 */
#define _GNU_SOURCE
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef __x86_64__
#error "which system calls change what is mapped on this processor?"
#endif

#define MAX_FRAMES 100
#define NAMED	   (1u << 16)
#define OPTIONS                                                                                   \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | \
	 PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)

/* A process.  Its threads have one tgid. */
struct process {
	pid_t pid;
	bool stale;			/* something was mapped since it was looked at */
	bool wanted;
	Dwfl *dwfl;
	uint64_t named[NAMED];		/* addresses that have a line */
	struct process *next;
};

struct thread {
	pid_t tid;
	struct process *process;
	struct thread *next;
};

static struct process *processes;
static struct thread *threads;
static FILE *out;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* Debug information that lies elsewhere is none that is needed. */
static int find_no_debuginfo(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)mod, (void)userdata, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = find_no_debuginfo,
};

/* The process that a thread is of. */
static pid_t tgid_of(pid_t tid)
{
	char name[40], line[200];
	int pid = tid;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %d", &pid) == 1)
			break;
	if (f)
		fclose(f);
	return pid;
}

static bool is_wanted(pid_t pid)
{
	const char *only = getenv("FRAMES_ONLY"), *base;
	char name[40], exe[4096];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	n = readlink(name, exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = 0;
	base = strrchr(exe, '/');
	return !only || (base && !strcmp(base + 1, only));
}

static struct process *process_get(pid_t pid)
{
	struct process *p;

	for (p = processes; p; p = p->next)
		if (p->pid == pid)
			return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		die("frames");
	*p = (struct process){ .pid = pid, .stale = true, .wanted = is_wanted(pid), .next = processes };
	processes = p;
	return p;
}

static struct thread *thread_get(pid_t tid)
{
	struct thread *t;

	for (t = threads; t; t = t->next)
		if (t->tid == tid)
			return t;
	t = calloc(1, sizeof(*t));
	if (!t)
		die("frames");
	*t = (struct thread){ .tid = tid, .process = process_get(tgid_of(tid)), .next = threads };
	threads = t;
	return t;
}

static void process_reset(struct process *p)
{
	if (p->dwfl)
		dwfl_end(p->dwfl);
	p->dwfl = NULL;
	p->stale = true;
	memset(p->named, 0, sizeof(p->named));
}

/* The last thread of a process has ended, or another one. */
static void thread_ended(pid_t tid)
{
	struct thread **t = &threads, *gone;
	struct process **p = &processes, *ended;

	while (*t && (*t)->tid != tid)
		t = &(*t)->next;
	gone = *t;
	if (gone) {
		*t = gone->next;
		free(gone);
	}
	while (*p && (*p)->pid != tid)
		p = &(*p)->next;
	ended = *p;
	if (ended) {
		*p = ended->next;
		process_reset(ended);
		free(ended);
	}
}

/* Learns what is mapped. */
static bool look(struct process *p)
{
	bool first = !p->dwfl;

	if (!p->stale)
		return true;
	if (first)
		p->dwfl = dwfl_begin(&callbacks);
	else
		dwfl_report_begin(p->dwfl);
	if (!p->dwfl || dwfl_linux_proc_report(p->dwfl, p->pid) || dwfl_report_end(p->dwfl, NULL, NULL) ||
	    (first && dwfl_linux_proc_attach(p->dwfl, p->pid, true) < 0)) {
		fprintf(stderr, "frames: process %d: %s\n", p->pid, dwfl_errmsg(-1));
		process_reset(p);
		return false;
	}
	memset(p->named, 0, sizeof(p->named));
	p->stale = false;
	return true;
}

/* Does the recorder's code lie there? */
static bool is_own(Dwfl_Module *mod, Dwarf_Addr at)
{
	GElf_Addr bias;
	Elf_Scn *section = dwfl_module_address_section(mod, &at, &bias);
	Elf *elf = dwfl_module_getelf(mod, &bias);
	const char *name;
	GElf_Shdr header;
	size_t names;

	if (!section || !gelf_getshdr(section, &header) || elf_getshdrstrndx(elf, &names))
		return false;
	name = elf_strptr(elf, names, header.sh_name);
	return name && (!strcmp(name, "iot_text") || !strcmp(name, "iot_hot") || !strcmp(name, "iot_kernel"));
}

/* at: where the call is, or what a signal interrupted */
static void name_frame(struct process *p, uint64_t pc, uint64_t at)
{
	uint64_t *named = &p->named[(pc ^ pc >> 16) % NAMED];
	const char *file = NULL, *base, *name = NULL;
	Dwfl_Module *mod;

	if (*named == pc)
		return;
	*named = pc;
	mod = dwfl_addrmodule(p->dwfl, at);
	if (mod) {
		file = dwfl_module_info(mod, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
		name = dwfl_module_addrname(mod, at);
		/* makecontext has functions return to where another begins */
		name = name ? name : dwfl_module_addrname(mod, pc);
	}
	base = file ? strrchr(file, '/') : NULL;
	fprintf(out, "f %d %lx %s %s%s\n", p->pid, pc, base ? base + 1 : file ? file : "?", name ? name : "?",
		mod && is_own(mod, at) ? " own" : "");
}

struct stack {
	int n;
	uint64_t pc[MAX_FRAMES];
	bool marked[MAX_FRAMES];
};

static int on_frame(Dwfl_Frame *frame, void *arg)
{
	struct stack *s = arg;

	if (s->n == MAX_FRAMES || !dwfl_frame_pc(frame, &s->pc[s->n], &s->marked[s->n]))
		return DWARF_CB_ABORT;
	s->n++;
	return DWARF_CB_OK;
}

/* libdw marks what a signal interrupted, what its handler returns to, and the frame that
   it does not get beyond. */
static void put_stack(struct process *p, struct stack *s)
{
	bool handled = false;

	for (int i = 0; i < s->n; i++) {
		bool interrupted = i && handled && s->marked[i];

		handled = i && s->marked[i] && !interrupted;
		s->pc[i] += interrupted;
		name_frame(p, s->pc[i], s->pc[i] - (i && !handled));
	}
}

static void take_stack(struct thread *t)
{
	struct stack s = { 0 };
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (!t->process->wanted || !look(t->process))
		return;
	dwfl_getthread_frames(t->process->dwfl, t->tid, on_frame, &s);
	put_stack(t->process, &s);
	fprintf(out, "s %ld%09ld %d %d", ts.tv_sec, ts.tv_nsec, t->process->pid, t->tid);
	for (int i = 0; i < s.n; i++)
		fprintf(out, " %lx", s.pc[i]);
	fputc('\n', out);
}

/* At the beginning or the end of a system call. */
static void at_call(struct thread *t)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, t->tid, sizeof(info), &info) < 0)
		return;
	if (info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	take_stack(t);
	switch (info.entry.nr) {
	case SYS_mmap: case SYS_munmap: case SYS_mprotect: case SYS_mremap:
		/* it is before long */
		t->process->stale = true;
	}
}

/* What goes on with the thread; returns the signal that it is to get. */
static int stopped(struct thread *t, int status)
{
	int sig = WSTOPSIG(status), event = status >> 16;

	if (sig == (SIGTRAP | 0x80)) {
		at_call(t);
		return 0;
	}
	if (event == PTRACE_EVENT_EXEC) {
		t->process->wanted = is_wanted(t->process->pid);
		process_reset(t->process);
	}
	/* PTRACE_EVENT_STOP is how a new thread begins */
	if (event)
		return 0;
	return sig;
}

static pid_t start(char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		raise(SIGSTOP);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, WUNTRACED) < 0 || ptrace(PTRACE_SEIZE, pid, NULL, (void *)OPTIONS) < 0)
		die("frames");
	kill(pid, SIGCONT);
	return pid;
}

/* Until all have ended; returns the first one's status. */
static int follow(pid_t first)
{
	int status, result = 2;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (tid < 0)
			continue;
		if (WIFSTOPPED(status)) {
			int sig = stopped(thread_get(tid), status);

			ptrace(PTRACE_SYSCALL, tid, NULL, (void *)(long)sig);
			continue;
		}
		thread_ended(tid);
		if (tid == first)
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	return result;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: frames OUTPUT PROGRAM ARGUMENT...\n");
		return 2;
	}
	out = fopen(argv[1], "we");
	if (!out)
		die(argv[1]);
	return follow(start(argv + 2));
}
