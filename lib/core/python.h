/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python.h - the frames of a Python interpreter, and what is read of its memory for them.
 *
 * A frame of Python is an address of its own kind in a stack: IOT_CODE_FRAME, the number
 * of its code in the log (IOT_DEF_CODE), and a line.
 */
#ifndef IOT_PYTHON_H
#define IOT_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"
#include "thread.h"

#pragma GCC visibility push(hidden)

/* Where a version of the interpreter has what is read; 0: it has no such thing. */
struct iot_python_layout {
	uint16_t version;		/* major << 8 | minor */
	struct {
		uint32_t size, finalizing, interpreters;
	} runtime;
	struct {
		uint32_t next, threads;
	} interpreter;
	struct {
		uint32_t next, thread, cframe, frame;
	} state;			/* of a thread */
	struct {
		uint32_t frame, previous;
	} cframe;			/* of a call of the interpreter's loop, on the C stack */
	struct {
		uint32_t code, previous, at, owner, entry;
	} frame;
	struct {
		uint32_t line, file, name, lines, traceable, bytecode;
	} code;
	uint32_t ascii, compact;	/* sizes of strings' heads */
};

struct iot_python {
	struct iot_python_layout at;
	uintptr_t runtime;		/* _PyRuntime, */
	uintptr_t low, high;		/* and the module that it is in */
	uintptr_t code_type, str_type, bytes_type;
	uint64_t seed;			/* of hashes, which nobody can make to collide */
	uint32_t vain;			/* searches, before */
	bool proven;			/* stacks have been found to be as that says */
};

/* Bytes from the beginning of a thread's state, a frame, and a code object before its
   bytecode, among which is all that is read of them. */
#define IOT_PYTHON_STATE      200u
#define IOT_PYTHON_FRAME_HEAD 72u
#define IOT_PYTHON_CODE_HEAD  208u

/* What iot_host_python finds by name; 0: it is not there. */
struct iot_python_symbols {
	uintptr_t runtime, low, high, code_type, str_type, bytes_type;
	const unsigned long *version;
};
void iot_host_python(struct iot_python_symbols *s);

/* A code object, as far as it is shown. */
struct iot_python_code {
	uint64_t hash;			/* of all below */
	const uint8_t *lines;		/* its table */
	uint64_t n_lines;		/* bytes of that */
	uint64_t n_units;		/* instructions, of two bytes */
	uintptr_t bytecode;
	uintptr_t file, name;		/* strings */
	uint64_t file_hash;
	uint32_t line, traceable;
};

/* python.c: who refers to it has all that reads an interpreter */
void iot_python_here(void);

/* python-code.c */
extern uint32_t iot_python_turn;	/* odd; numbers of another turn are of another log */
bool iot_python_code(const struct iot_python *py, uintptr_t at, struct iot_python_code *code);
uint64_t iot_python_address(struct iot_thread *t, const struct iot_python *py, const struct iot_python_code *code,
			    uint32_t unit, char *text);

static inline uint64_t iot_python_word(const void *of, uint32_t at)
{
	uint64_t w;

	__builtin_memcpy(&w, (const char *)of + at, sizeof(w));
	return w;
}

static inline uint32_t iot_python_half(const void *of, uint32_t at)
{
	uint32_t w;

	__builtin_memcpy(&w, (const char *)of + at, sizeof(w));
	return w;
}

static inline uint64_t iot_python_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 32;
}

#pragma GCC visibility pop

#endif
