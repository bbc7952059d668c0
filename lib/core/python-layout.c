/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python-layout.c - whether a Python interpreter is there, and where it has what we read.
 *
 * From 3.13 on the interpreter says so itself, in the words at the beginning of
 * _PyRuntime; what it leaves out, and what 3.11 and 3.12 have, is in a table.  An
 * interpreter of another version, or without the global lock, is taken for none.
 */
#include <elf.h>
#include <string.h>

#include "auxv.h"
#include "python-frames.h"
#include "python.h"

static const struct iot_python_layout layouts[] = {
	{
		.version = 0x030b,
		.runtime = { .size = 166688, .finalizing = 24, .interpreters = 40 },
		.interpreter = { .next = 0, .threads = 16 },
		.state = { .next = 8, .thread = 152, .cframe = 56 },
		.cframe = { .frame = 8, .previous = 16 },
		.frame = { .code = 32, .previous = 48, .at = 56, .owner = 69, .entry = 68 },
		.code = { .line = 72, .file = 112, .name = 128, .lines = 136, .traceable = 168, .bytecode = 184 },
		.ascii = 48, .compact = 72,
	},
	{
		.version = 0x030c,
		.runtime = { .size = 459944, .finalizing = 24, .interpreters = 40 },
		.interpreter = { .next = 0, .threads = 72 },
		.state = { .next = 8, .thread = 136, .cframe = 56 },
		.cframe = { .frame = 0, .previous = 8 },
		.frame = { .code = 0, .previous = 8, .at = 56, .owner = 70 },
		.code = { .line = 68, .file = 112, .name = 128, .lines = 136, .traceable = 176, .bytecode = 192 },
		.ascii = 40, .compact = 56,
	},
	{
		.version = 0x030d,
		.code = { .traceable = 184 },
		.compact = 56,
	},
};

/* The words with which _PyRuntime begins in 3.13 (_Py_DebugOffsets), by number. */
#define COOKIE "xdebugpy"
enum {
	SAYS_VERSION = 1, SAYS_UNLOCKED, SAYS_RUNTIME, SAYS_FINALIZING, SAYS_INTERPRETERS,
	SAYS_NEXT_INTERPRETER = 8, SAYS_THREADS,
	SAYS_NEXT_STATE = 21, SAYS_FRAME = 23, SAYS_THREAD,
	SAYS_PREVIOUS = 29, SAYS_CODE, SAYS_AT, SAYS_OWNER = 33,
	SAYS_FILE = 35, SAYS_NAME = 37, SAYS_LINES, SAYS_LINE, SAYS_BYTECODE = 43,
	SAYS_ASCII = 70, N_SAYS
};

static bool says(struct iot_python_layout *l, const uint64_t *word, uint64_t version)
{
	const struct {
		uint32_t *to;
		int from;
	} row[] = {
		{ &l->runtime.size, SAYS_RUNTIME },
		{ &l->runtime.finalizing, SAYS_FINALIZING },
		{ &l->runtime.interpreters, SAYS_INTERPRETERS },
		{ &l->interpreter.next, SAYS_NEXT_INTERPRETER },
		{ &l->interpreter.threads, SAYS_THREADS },
		{ &l->state.next, SAYS_NEXT_STATE },
		{ &l->state.frame, SAYS_FRAME },
		{ &l->state.thread, SAYS_THREAD },
		{ &l->frame.previous, SAYS_PREVIOUS },
		{ &l->frame.code, SAYS_CODE },
		{ &l->frame.at, SAYS_AT },
		{ &l->frame.owner, SAYS_OWNER },
		{ &l->code.file, SAYS_FILE },
		{ &l->code.name, SAYS_NAME },
		{ &l->code.lines, SAYS_LINES },
		{ &l->code.line, SAYS_LINE },
		{ &l->code.bytecode, SAYS_BYTECODE },
		{ &l->ascii, SAYS_ASCII },
	};

	if (memcmp(word, COOKIE, 8) || word[SAYS_VERSION] != version || word[SAYS_UNLOCKED])
		return false;
	for (uint32_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		if (word[row[i].from] > 1 << 20)
			return false;
		*row[i].to = (uint32_t)word[row[i].from];
	}
	return true;
}

/* Whether each piece of it lies in what we read of it in one go. */
static bool fits(const struct iot_python_layout *l)
{
	return l->state.thread + 8 <= IOT_PYTHON_STATE && l->state.next + 8 <= IOT_PYTHON_STATE &&
	       l->state.frame + 8 <= IOT_PYTHON_STATE && l->frame.code + 8 <= IOT_PYTHON_FRAME_HEAD &&
	       l->frame.previous + 8 <= IOT_PYTHON_FRAME_HEAD && l->frame.at + 8 <= IOT_PYTHON_FRAME_HEAD &&
	       l->frame.owner < IOT_PYTHON_FRAME_HEAD && l->code.file + 8 <= l->code.bytecode &&
	       l->code.name + 8 <= l->code.bytecode && l->code.lines + 8 <= l->code.bytecode &&
	       l->code.line + 4 <= l->code.bytecode && l->code.traceable + 4 <= l->code.bytecode &&
	       l->code.bytecode <= IOT_PYTHON_CODE_HEAD;
}

/* What Py_Version says: major, minor, micro, a release's letter and number. */
static bool lay_out(struct iot_python *py, uint64_t version)
{
	const struct iot_python_layout *l = layouts;

	/* alpha and beta releases are laid out otherwise */
	if ((version & 0xf0) < 0xc0)
		return false;
	while (l->version != version >> 16)
		if (++l == layouts + sizeof(layouts) / sizeof(*layouts))
			return false;
	py->at = *l;
	return (l->runtime.size || says(&py->at, (const uint64_t *)py->runtime, version)) && fits(&py->at);
}

#ifndef IOT_DYNAMIC
/* The linker knows. */
extern const char _PyRuntime[] __attribute__((weak));
extern const char PyCode_Type[] __attribute__((weak));
extern const char PyUnicode_Type[] __attribute__((weak));
extern const char PyBytes_Type[] __attribute__((weak));
extern const unsigned long Py_Version __attribute__((weak));

void iot_host_python(struct iot_python_symbols *s)
{
	*s = (struct iot_python_symbols){
		.runtime = (uintptr_t)_PyRuntime,
		.high = UINTPTR_MAX,
		.code_type = (uintptr_t)PyCode_Type,
		.str_type = (uintptr_t)PyUnicode_Type,
		.bytes_type = (uintptr_t)PyBytes_Type,
		.version = &Py_Version,
	};
}
#endif

/* A few in the life of a process: who is at one may still be when it is gone. */
#define MAX_FOUND 8u

/* At the log's start, and when libraries have come or gone. */
void iot_python_find(void)
{
	static struct iot_python found[MAX_FOUND];
	static uint32_t n_found;
	const struct iot_python *was = __atomic_load_n(&iot_python, __ATOMIC_RELAXED);
	struct iot_python_symbols s = { 0 };
	struct iot_python *py = NULL;
	uint32_t n;

	iot_host_python(&s);
	if (was && s.runtime == was->runtime)
		return;
	n = s.runtime ? __atomic_fetch_add(&n_found, 1, __ATOMIC_RELAXED) : MAX_FOUND;
	if (n < MAX_FOUND && s.version && s.code_type && s.str_type && s.bytes_type) {
		py = &found[n];
		*py = (struct iot_python){ .runtime = s.runtime, .low = s.low, .high = s.high,
					   .code_type = s.code_type, .str_type = s.str_type,
					   .bytes_type = s.bytes_type, .seed = *(const uint64_t *)iot_auxv(AT_RANDOM) };
		if (!lay_out(py, *s.version))
			py = NULL;
	}
	__atomic_store_n(&iot_python, py, __ATOMIC_RELEASE);
}
