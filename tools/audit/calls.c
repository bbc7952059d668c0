/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.c - what is known about calls: the kernel's numbers, and what
 * calls.def says of the names that are wrapped.
 */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "audit.h"

struct kernel_call {
	const char *name;
	bool io;
};

#define IO true
#define NO false
#define SYSCALL(number, call, is_io) [number] = {#call, is_io},
static struct kernel_call kernel_calls[] = {
#include "../../table/syscalls-x86_64.def"
};

#define N_KERNEL_CALLS (sizeof(kernel_calls) / sizeof(kernel_calls[0]))

/* A name that is wrapped, and the system calls that its record stands for, or "". */
struct wrapped {
	const char *symbol;
	const char *call;
};

#define IOT_ROW(name, family, call, attributes)
#define IOT_NAME(symbol, row, call) {symbol, call},
#define IOT_INLINE(func, call, reason)
static struct wrapped wrapped[] = {
#include "lib/calls-table.h"
	{"", ""}};

/* The calls that rows are about. */
#undef IOT_ROW
#undef IOT_NAME
#define IOT_ROW(name, family, call, attributes) call,
#define IOT_NAME(symbol, row, call)
static const char *const row_calls[] = {
#include "lib/calls-table.h"
	""};

struct inline_call {
	const char *func;
	const char *call;
	const char *reason;
};

#undef IOT_ROW
#undef IOT_INLINE
#define IOT_ROW(name, family, call, attributes)
#define IOT_INLINE(func, call, reason) {func, call, reason},
static const struct inline_call inline_calls[] = {
#include "lib/calls-table.h"
	{"", "", ""}};

#define N_WRAPPED (sizeof(wrapped) / sizeof(wrapped[0]))
#define N_ROW_CALLS (sizeof(row_calls) / sizeof(row_calls[0]))
#define N_INLINE_CALLS (sizeof(inline_calls) / sizeof(inline_calls[0]))

static int compare_wrapped(const void *a, const void *b)
{
	const struct wrapped *x = a, *y = b;

	return strcmp(x->symbol, y->symbol);
}

void iot_audit_calls_init(void)
{
	size_t i, k;

	qsort(wrapped, N_WRAPPED, sizeof(wrapped[0]), compare_wrapped);
	for (i = 0; i < N_ROW_CALLS; i++) {
		if (!row_calls[i][0])
			continue;
		for (k = 0; k < N_KERNEL_CALLS; k++)
			if (kernel_calls[k].name && !strcmp(kernel_calls[k].name, row_calls[i]))
				kernel_calls[k].io = true;
	}
}

/* NULL if the kernel's number is none that is known here. */
const char *iot_audit_syscall_name(uint32_t number)
{
	return number < N_KERNEL_CALLS ? kernel_calls[number].name : NULL;
}

/* What is not known is taken for I/O: that can't hide anything. */
bool iot_audit_syscall_is_io(uint32_t number)
{
	return !iot_audit_syscall_name(number) || kernel_calls[number].io;
}

/*
 * Where --wrap can't be ours, libc's own function is renamed to iot_real_NAME
 * instead: it is known by NAME here.
 */
static const struct wrapped *find_wrapped(const char *name)
{
	struct wrapped key = {.symbol = name};

	if (!strncmp(name, IOT_REAL, sizeof(IOT_REAL) - 1))
		key.symbol += sizeof(IOT_REAL) - 1;
	return *key.symbol ? bsearch(&key, wrapped, N_WRAPPED, sizeof(key), compare_wrapped) : NULL;
}

bool iot_audit_is_wrapped(const char *name)
{
	return find_wrapped(name) != NULL;
}

/*
 * Is this symbol one of our wrappers?  Programs may wrap functions of their
 * own, or malloc; that doesn't make these wrappers ours.  What the compiler
 * splits off (__wrap_read.cold) goes with the wrapper.
 */
bool iot_audit_is_wrapper(const char *symbol)
{
	char name[128];
	size_t n;

	if (strncmp(symbol, IOT_WRAP, sizeof(IOT_WRAP) - 1))
		return false;
	symbol += sizeof(IOT_WRAP) - 1;
	n = strcspn(symbol, ".");
	if (n >= sizeof(name))
		return false;
	memcpy(name, symbol, n);
	name[n] = '\0';
	return iot_audit_is_wrapped(name);
}

/* Is the record of NAME's wrapper the record of the kernel's CALL? */
bool iot_audit_wraps(const char *name, const char *call)
{
	const struct wrapped *w = find_wrapped(name);
	const char *p = w ? w->call : "";
	size_t n = strlen(call);

	while (*p && (strcspn(p, ",") != n || memcmp(p, call, n))) {
		p += strcspn(p, ",");
		p += *p == ',';
	}
	return *p;
}

/* Compilers may cut FUNC into parts: FUNC.part.0 and the like. */
const char *iot_audit_inline_reason(const char *func, const char *call)
{
	size_t i, n = strcspn(func, ".");

	if (!n)
		return NULL;
	for (i = 0; i < N_INLINE_CALLS; i++)
		if (strlen(inline_calls[i].func) == n && !memcmp(inline_calls[i].func, func, n) &&
		    !strcmp(inline_calls[i].call, call))
			return inline_calls[i].reason;
	return NULL;
}
