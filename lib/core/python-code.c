/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python-code.c - code objects of Python: their names in the log, and which line an instruction
 * is of.
 *
 * Code objects come and go, and another may lie where one was, with all pointers in it the
 * same.  So a code is what is shown of it: file, function and lines, of which a hash is
 * made each time.  Who runs a code object keeps it, and what it refers to: where an
 * interpreter has been found to be as its version says, these are just read.
 */
#include <string.h>

#include "arena.h"
#include "fetch.h"
#include "log-share.h"
#include "paths.h"
#include "python-frames.h"
#include "python.h"
#include "window.h"

#define MAX_TEXT  4000u			/* characters */
#define MAX_LINES (1u << 24)		/* bytes of a table */
#define STR_HEAD  72u
#define BYTES_HEAD 32u

static bool is_of(uintptr_t at, uintptr_t type, void *head, uint32_t size)
{
	return iot_fetch(head, (const void *)at, size) && iot_python_word(head, 8) == type;
}

/* A string's characters, of so many bytes each; NULL: it is of another kind. */
static const uint8_t *characters(const struct iot_python *py, uintptr_t at, uint64_t *n, uint32_t *kind)
{
	uint32_t state = iot_python_half((const void *)at, 32);

	*n = iot_python_word((const void *)at, 16);
	*kind = state >> 2 & 7;
	if (*n > MAX_TEXT || *kind > 4 || *kind == 3 || !*kind || !(state & 1 << 5))
		return NULL;
	return (const uint8_t *)at + (state & 1 << 6 ? py->at.ascii : py->at.compact);
}

static bool is_text(const struct iot_python *py, uintptr_t at)
{
	uint8_t head[STR_HEAD];
	const uint8_t *s;
	uint32_t kind;
	uint64_t n;

	if (!is_of(at, py->str_type, head, sizeof(head)))
		return false;
	s = characters(py, at, &n, &kind);
	return s && iot_is_memory(s, n * kind);
}

/* Of what is not known to be a code object. */
static bool is_code(const struct iot_python *py, uintptr_t at)
{
	uint8_t head[IOT_PYTHON_CODE_HEAD], bytes[BYTES_HEAD];
	uintptr_t lines;

	if (!is_of(at, py->code_type, head, sizeof(head)))
		return false;
	lines = iot_python_word(head, py->at.code.lines);
	return is_text(py, iot_python_word(head, py->at.code.file)) &&
	       is_text(py, iot_python_word(head, py->at.code.name)) &&
	       is_of(lines, py->bytes_type, bytes, sizeof(bytes)) && iot_python_word(bytes, 16) <= MAX_LINES &&
	       iot_is_memory((const void *)(lines + BYTES_HEAD), iot_python_word(bytes, 16));
}

__extension__ typedef unsigned __int128 wide;

static uint64_t fold(uint64_t a, uint64_t b)
{
	wide product = (wide)(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xd6e8feb86659fd93ULL);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Of two halves, whose multiplications do not wait for each other: a table has thousands of
   bytes. */
static uint64_t mix_bytes(uint64_t hash, const uint8_t *s, uint64_t n)
{
	uint64_t other = ~hash ^ n, last = 0;
	const uint8_t *end = s + n;

	for (; end - s >= 32; s += 32) {
		hash = fold(hash ^ iot_python_word(s, 0), iot_python_word(s, 8));
		other = fold(other ^ iot_python_word(s, 16), iot_python_word(s, 24));
	}
	for (; end - s >= 8; s += 8)
		hash = fold(hash, iot_python_word(s, 0));
	if (n >= 8)
		last = iot_python_word(end - 8, 0);
	else
		while (s < end)
			last = last << 8 | *s++;
	return fold(hash ^ last, other);
}

static bool mix_text(const struct iot_python *py, uint64_t *hash, uintptr_t at)
{
	const uint8_t *s;
	uint32_t kind;
	uint64_t n;

	s = characters(py, at, &n, &kind);
	if (s)
		*hash = mix_bytes(*hash ^ kind, s, n * kind);
	return s;
}

/* Reads the code object at that address, of the same file as code before, more often than
   not, if that has one.  False: there is none that makes sense. */
bool iot_python_code(const struct iot_python *py, uintptr_t at, struct iot_python_code *code)
{
	const void *of = (const void *)at;
	uintptr_t lines, file;

	if ((!py->proven && !is_code(py, at)) || iot_python_word(of, 8) != py->code_type)
		return false;
	file = iot_python_word(of, py->at.code.file);
	if (file != code->file) {
		code->file_hash = py->seed;
		if (!mix_text(py, &code->file_hash, file))
			return false;
	}
	lines = iot_python_word(of, py->at.code.lines);
	code->hash = code->file_hash;
	code->lines = (const uint8_t *)lines + BYTES_HEAD;
	code->n_lines = iot_python_word((const void *)lines, 16);
	code->n_units = iot_python_word(of, 16);
	code->bytecode = at + py->at.code.bytecode;
	code->file = file;
	code->name = iot_python_word(of, py->at.code.name);
	code->line = iot_python_half(of, py->at.code.line);
	code->traceable = iot_python_half(of, py->at.code.traceable);
	if (code->n_lines > MAX_LINES || !mix_text(py, &code->hash, code->name))
		return false;
	code->hash = iot_python_mix(mix_bytes(code->hash, code->lines, code->n_lines), code->line);
	code->hash += !code->hash;
	return true;
}

/* As UTF-8.  A byte of a file's name that was none is a byte again (surrogateescape). */
static uint32_t put_character(char *to, uint32_t c)
{
	if (c < 0x80 || (c >= 0xdc80 && c < 0xdd00)) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 63));
		to[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | (c >> 18 & 7));
	to[1] = (char)(0x80 | (c >> 12 & 63));
	to[2] = (char)(0x80 | (c >> 6 & 63));
	to[3] = (char)(0x80 | (c & 63));
	return 4;
}

/* The string in IOT_NAMES bytes, cut where they end; its length. */
static uint32_t put_text(const struct iot_python *py, uintptr_t at, char *to)
{
	uint32_t len = 0, kind, c;
	const uint8_t *s;
	uint64_t n;

	s = characters(py, at, &n, &kind);
	for (uint64_t i = 0; s && i < n && len < IOT_NAMES - 5; i++) {
		c = 0;
		memcpy(&c, s + i * kind, kind);
		if (c)
			len += put_character(to + len, c);
	}
	to[len] = 0;
	return len;
}

/* text has twice IOT_NAMES bytes. */
static void define(struct iot_thread *t, const struct iot_python *py, uint32_t number,
		   const struct iot_python_code *code, char *text)
{
	char *name = text + IOT_NAMES;
	uint32_t len = put_text(py, code->file, text), name_len = put_text(py, code->name, name);
	uint32_t id = iot_name_intern(t, text);
	uint64_t *p = iot_define(t, IOT_DEF_CODE, 4 + (len + 7) / 8 + (name_len + 7) / 8);

	*p++ = number;
	*p++ = IOT_CODE_PYTHON;
	if (id)
		*p++ = id;
	else
		p = iot_put_bytes(p, text, len);
	p = iot_put_bytes(p, name, name_len);
	iot_define_done(t, p);
}

#define TABLE_SIZE 16384u
#define PROBES	   16u
static struct numbered {
	uint64_t hash;			/* 0: nothing is there */
	uint32_t id;			/* 0: not yet known */
} *table;
uint32_t iot_python_turn = 1;

void iot_python_forget(void)
{
	iot_python_turn += 2;
	if (table)
		memset(table, 0, TABLE_SIZE * sizeof(*table));
}

/* The code's number in the log; one that is new is defined there.  Where the table is full,
   or another thread is about to give it one, it gets one more. */
static uint32_t number_of(struct iot_thread *t, const struct iot_python *py, const struct iot_python_code *code,
			  char *text)
{
	struct numbered *tab = iot_map_once(&table, TABLE_SIZE * sizeof(*tab)), *mine = NULL, *e;
	uint32_t at = (uint32_t)(code->hash >> 32), number;

	for (uint32_t i = 0; tab && !mine && i < PROBES; i++, at++) {
		uint64_t found = 0;

		e = &tab[at % TABLE_SIZE];
		if (__atomic_compare_exchange_n(&e->hash, &found, code->hash, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			mine = e;
		if (found != code->hash)
			continue;
		number = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
		if (number)
			return number;
		break;
	}
	number = __atomic_add_fetch(&iot_share->n_codes, 1, __ATOMIC_RELAXED);
	define(t, py, number, code, text);
	if (mine)
		__atomic_store_n(&mine->id, number, __ATOMIC_RELEASE);
	return number;
}

struct table {
	const uint8_t *at, *end;
};

static uint32_t byte(struct table *b)
{
	return b->at < b->end ? *b->at++ : 0;
}

/* Six bits a byte, the lowest first. */
static uint32_t varint(struct table *b)
{
	uint32_t v = 0, shift = 0, c;

	do {
		c = byte(b);
		v |= shift < 32 ? (c & 63) << shift : 0;
		shift += 6;
	} while (c & 64);
	return v;
}

static int32_t signed_varint(struct table *b)
{
	uint32_t v = varint(b);

	return v & 1 ? -(int32_t)(v >> 1) : (int32_t)(v >> 1);
}

/* Its line; 0: it has none.  An entry of the table begins with 1, what it tells (4 bits)
   and for how many instructions (3 bits); how far that is from the line before comes next. */
static uint32_t line_of(const struct iot_python_code *code, uint32_t unit)
{
	struct table b = { code->lines, code->lines + code->n_lines };
	int64_t line = code->line, to = 0;
	bool none;

	while (b.at < b.end) {
		uint32_t head = byte(&b), tells = head >> 3 & 15;

		none = tells == 15;
		if (tells == 14 || tells == 13)
			line += signed_varint(&b);
		else if (tells >= 10 && !none)
			line += tells - 10;
		for (uint32_t i = 0; tells == 14 && i < 3; i++)
			varint(&b);
		b.at += tells < 10 ? 1 : tells < 13 ? 2 : 0;
		to += (head & 7) + 1;
		if (unit < to)
			return none || line < 0 || line > IOT_CODE_LINE_MAX ? 0 : (uint32_t)line;
	}
	return 0;
}

/* The frame of an instruction.  text: room for names, of twice IOT_NAMES bytes. */
uint64_t iot_python_address(struct iot_thread *t, const struct iot_python *py, const struct iot_python_code *code,
			    uint32_t unit, char *text)
{
	return IOT_CODE_FRAME | (uint64_t)number_of(t, py, code, text) << IOT_CODE_NUMBER_SHIFT |
	       line_of(code, unit);
}
