/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fetch.c - the program's memory, at addresses that may be bad.  This is the one
 * place where the recorder reads what no call has been seen to read: the kernel
 * copies, or says that it can't.  Nothing here faults, nor touches a signal.  The kernel
 * is given this thread's id: the process's own is that of its first thread, which may
 * have ended.
 *
 * Some memory may be read without the kernel: what the system call that has just succeeded has
 * read or written, if the thread is the only one, or the memory is its own stack or what the
 * executable never writes, as its texts.  A copy by the kernel costs a system call or two.  So it is left to calls that failed, and to those whose
 * success says nothing about their memory.
 */
#include "fetch.h"

#include "sys.h"
#include "thread.h"

#include <string.h>

#define PAGE ((uint32_t)IOT_PAGE)

/* Whether the page is there.  The kernel reads the mask before it finds that there is
   no such way to change it. */
static bool is_there(uintptr_t at)
{
	return iot_syscall(SYS_rt_sigprocmask, -1L, at & ~7UL, (void *)NULL, 8L) == -EINVAL;
}

/* Where processes may not be looked into, this one included. */
static bool fetch_by_page(void *to, uintptr_t from, size_t n)
{
	for (uintptr_t at = from; at - from < n; at = (at | (PAGE - 1)) + 1)
		if (!is_there(at))
			return false;
	memcpy(to, (const void *)from, n);
	return true;
}

bool iot_fetch(void *to, const void *from, size_t n)
{
	struct iovec local = { to, n }, remote = { (void *)from, n };
	long ret;

	if (!n)
		return true;
	if ((uintptr_t)from < PAGE || (uintptr_t)from + n < n)
		return false;
	ret = iot_syscall(SYS_process_vm_readv, (long)iot_sys_gettid(), &local, 1L, &remote, 1L, 0L);
	if (ret >= 0 || ret == -EFAULT)
		return ret == (long)n;
	return fetch_by_page(to, (uintptr_t)from, n);
}

bool iot_store(void *to, const void *from, size_t n)
{
	struct iovec local = { (void *)from, n }, remote = { to, n };

	return iot_syscall(SYS_process_vm_writev, (long)iot_sys_gettid(), &local, 1L, &remote, 1L, 0L) == (long)n;
}

/* As much as fits; a page at a time, since the next may not be there. */
const char *iot_fetch_text(char *to, uint32_t size, const char *from)
{
	uint32_t len = 0;

	while (len < size - 1) {
		uint32_t n = PAGE - (uint32_t)((uintptr_t)(from + len) % PAGE);

		if (n > size - 1 - len)
			n = size - 1 - len;
		if (!iot_fetch(to + len, from + len, n))
			return NULL;
		if (memchr(to + len, 0, n))
			return to;
		len += n;
	}
	to[len] = 0;
	return to;
}

/* Whether all of the string can be read.  known: a page that can be, to begin with 0. */
bool iot_is_text(const char *s, uintptr_t *known)
{
	for (char c;; s = (const char *)(((uintptr_t)s | (PAGE - 1)) + 1)) {
		uintptr_t page = (uintptr_t)s & -(uintptr_t)PAGE;

		if ((!page || page != *known) && !iot_fetch(&c, s, 1))
			return false;
		*known = page;
		if (memchr(s, 0, PAGE - (uintptr_t)s % PAGE))
			return true;
	}
}

/* Whether the string begins with a slash. */
bool iot_is_rooted(const char *s)
{
	char c;

	return iot_fetch(&c, s, 1) && c == '/';
}

/* Whether all of it can be read. */
bool iot_is_memory(const void *p, size_t n)
{
	for (uintptr_t at = (uintptr_t)p; at - (uintptr_t)p < n; at = (at | (PAGE - 1)) + 1) {
		char c;

		if (!iot_fetch(&c, (const void *)at, 1))
			return false;
	}
	return !n || iot_fetch(&(char){ 0 }, (const char *)p + n - 1, 1);
}

bool iot_has_threads, iot_has_helpers;

#define MAX_CONSTANTS 4			/* linkers make up to three */

static struct { uintptr_t low, high; } constants[MAX_CONSTANTS];
static uint32_t n_constants;

/* Told of while recording begins. */
void iot_fetch_constant(uintptr_t low, uintptr_t high)
{
	if (n_constants == MAX_CONSTANTS)
		return;
	constants[n_constants].low = low;
	constants[n_constants++].high = high;
}

/* In the executable's code and constants, which nobody unmaps as long as it runs. */
static bool is_constant(const void *p, size_t n)
{
	uintptr_t at = (uintptr_t)p;

	for (uint32_t i = 0; i < n_constants; i++)
		if (at >= constants[i].low && at < constants[i].high)
			return n <= constants[i].high - at;
	return false;
}

/* In the part of the stack, above this function's frame, that must be mapped. */
bool iot_on_stack(const struct iot_thread *t, const void *p, size_t n)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), at = (uintptr_t)p;

	return here >= t->stack_low && at >= here && at < t->stack_top && n <= t->stack_top - at;
}

/* Whether what was there a moment ago still is. */
bool iot_stays(const struct iot_thread *t, const void *p, size_t n)
{
	return !__atomic_load_n(&iot_has_threads, __ATOMIC_RELAXED) || iot_on_stack(t, p, n) || is_constant(p, n);
}

/* What the call has read or written. */
bool iot_fetch_used(const struct iot_thread *t, void *to, const void *from, size_t n)
{
	if (!iot_stays(t, from, n))
		return iot_fetch(to, from, n);
	memcpy(to, from, n);
	return true;
}
