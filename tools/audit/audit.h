/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * audit.h - what the parts of iotrace-audit share.
 *
 * elf.c	reads the executable
 * symbols.c	cuts its code into functions
 * refs.c	disassembles it: system call sites, and who refers to whom
 * decode.c, number.c	which system call a site makes
 * calls.c	what is known about calls: the kernel's and calls.def's
 * cover.c	decides which sites have a wrapper in front
 * report.c	prints the outcome
 *
 * Everything is kept in arrays that are sorted before they are searched; none
 * grows faster than the executable.
 */
#ifndef IOTRACE_AUDIT_H
#define IOTRACE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <libelf.h>
#include <capstone/capstone.h>

struct section {
	uint64_t addr;
	uint64_t size;
	const uint8_t *data;
	const char *name;
	size_t index;
	bool exec;
	bool got;		/* a slot's owner is whoever uses the slot */
	bool pointers;		/* may hold pointers to functions */
};

/* A name of a place: functions' entries in one array, data objects in another. */
struct symbol {
	uint64_t addr;
	uint64_t size;
	const char *name;
	uint32_t func;		/* index of the function that it enters */
	bool func_type;		/* STT_FUNC or STT_GNU_IFUNC */
	bool object;		/* STT_OBJECT, in an executable section */
	bool local;
};

/* Where a function stands with respect to the recorder. */
enum side {
	SIDE_PROGRAM,
	SIDE_WRAPPER,		/* __wrap_NAME, NAME being one that calls.def wraps, unless
				   wrappers have the names of the calls; iot_wrap_NAME; or
				   what may_wrap and calls the recorder */
	SIDE_RECORDER,		/* iot_*, or a local function that only the recorder uses */
};

struct func {
	uint64_t start;
	uint64_t end;
	const char *name;	/* the plainest of its names, NULL: has none */
	uint32_t first_symbol;	/* its names: symbols[first_symbol .. + n_symbols) */
	uint32_t n_symbols;
	uint32_t first_ref;	/* references to it: refs[first_ref .. + n_refs) */
	uint32_t n_refs;
	uint32_t owner;		/* the function whose .cold part this is, or itself */
	enum side side;
	bool local;		/* all of its names are */
	bool returns;		/* or may */
	bool data;		/* only objects' symbols, and nothing jumps there */
	bool scanned;
	bool may_wrap;		/* by its name: a wrapper if it calls the recorder */
	bool live;		/* something that runs leads here */
};

#define NOT_A_FUNC	UINT32_MAX	/* the reference lies in data */
#define FROM_KERNEL	(UINT32_MAX - 1) /* the entry point */

struct ref {
	uint32_t to;		/* function */
	uint32_t from;		/* function, NOT_A_FUNC or FROM_KERNEL */
	uint64_t target;	/* address referred to */
	uint64_t where;		/* of the reference */
};

/* A read of a GOT slot: stands for a reference to what the slot holds. */
struct slot_use {
	uint64_t slot;
	uint32_t from;
};

enum entry {
	BY_SYSCALL,
	BY_INT80,
	BY_SYSENTER,
};

#define NUMBERS_MAX	4

struct site {
	uint64_t addr;
	uint32_t func;
	enum entry entry;
	uint8_t n_numbers;	/* 0: could not be told */
	uint32_t numbers[NUMBERS_MAX];
};

/* In order of how much the user wants to see them. */
enum verdict {
	V_UNCOVERED,
	V_INLINE,		/* in calls.def's list of what cannot have a wrapper */
	V_BEHIND,		/* behind a wrapper */
	V_UNUSED,		/* nothing refers to the function */
};

/* The sites of one function that make the same call. */
struct group {
	uint32_t func;
	uint32_t first_site;	/* group_sites[first_site .. + n_sites): addresses */
	uint32_t n_sites;
	char call[48];
	enum verdict verdict;
	const char *reason;	/* V_INLINE */
};

struct audit {
	const char *path;
	Elf *elf;
	int fd;
	bool pie;
	bool relr;		/* has packed relocations, which lie in the words they are of */
	uint64_t entry;
	uint64_t code_lo;	/* all executable sections lie in [code_lo, code_hi) */
	uint64_t code_hi;
	csh cs;

	struct section *sections;
	size_t n_sections;
	struct symbol *symbols;	/* functions' entries, by address */
	size_t n_symbols;
	struct symbol *objects;	/* data, by address */
	size_t n_objects;
	struct func *funcs;	/* by address, not overlapping */
	size_t n_funcs;
	struct ref *refs;	/* by function referred to */
	size_t n_refs;
	struct slot_use *slot_uses;
	size_t n_slot_uses;
	struct site *sites;	/* by address */
	size_t n_sites;
	struct group *groups;	/* by verdict, function's name, call */
	size_t n_groups;
	uint64_t *group_sites;

	size_t n_wrappers;	/* functions of SIDE_WRAPPER */
	size_t n_recorder_sites;
	size_t n_other_sites;	/* that make calls which are no I/O */
};

/* trouble.c */
void *iot_audit_grow(void *array, size_t n, size_t item);
void *iot_audit_alloc(size_t n, size_t item);
_Noreturn void iot_audit_fail(const struct audit *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* elf.c */
void iot_audit_load(struct audit *a);
const struct section *iot_audit_section(const struct audit *a, uint64_t addr);
bool iot_audit_relocation(struct audit *a, size_t *section, size_t *item, uint64_t *where,
			  uint64_t *target);

/* symbols.c */
void iot_audit_read_symbols(struct audit *a);
uint32_t iot_audit_func_at(const struct audit *a, uint64_t addr);
bool iot_audit_is_entry(const struct audit *a, uint64_t addr);
const struct symbol *iot_audit_object_at(const struct audit *a, uint64_t addr);

/* refs.c */
void iot_audit_scan(struct audit *a);

/* decode.c: a function as the few kinds of steps that matter to rax */
enum op {
	OP_NONE,		/* writes the registers in `writes` */
	OP_CONST,		/* dst = imm */
	OP_COPY,		/* dst = src + imm */
	OP_MERGE,		/* dst = dst or src (cmov) */
	OP_PUSH_CONST,		/* imm */
	OP_PUSH,		/* src */
	OP_POP,			/* dst */
	OP_SYSCALL,
};

enum flow {
	FLOW_NEXT,
	FLOW_BRANCH,		/* next or target */
	FLOW_JUMP,		/* target */
	FLOW_STOP,		/* return, or on to another function */
	FLOW_INDIRECT,		/* to any place that a jump table names */
};

struct step {
	uint32_t off;		/* of the instruction, from the function's start */
	uint32_t next;
	uint32_t target;	/* FLOW_BRANCH, FLOW_JUMP: offset */
	uint16_t writes;	/* registers, by number of their encoding */
	uint8_t op;
	uint8_t flow;
	uint8_t dst;
	uint8_t src;
	bool nop;
	bool stack;		/* moves the stack pointer or writes to memory */
	int64_t imm;
};

size_t iot_audit_decode(const struct audit *a, const struct func *f, struct step **steps,
			uint8_t *leaders);

/* number.c */
void iot_audit_numbers(struct audit *a);

/* calls.c */
#define IOT_WRAP	"__wrap_"
#define IOT_REAL	"iot_real_"	/* libc's, and our wrapper's other name, where */
#define IOT_NAMED	"iot_wrap_"	/* wrappers have the names of the calls */
void iot_audit_calls_init(void);
const char *iot_audit_syscall_name(uint32_t number);
bool iot_audit_syscall_is_io(uint32_t number);
bool iot_audit_is_wrapper(const char *symbol);
bool iot_audit_is_wrapped(const char *name);
bool iot_audit_wraps(const char *name, const char *call);
const char *iot_audit_inline_reason(const char *func, const char *call);

/* cover.c */
void iot_audit_cover(struct audit *a);
bool iot_audit_ref_matters(const struct audit *a, const struct ref *r);
bool iot_audit_stands_for(const struct audit *a, uint32_t func, const char *call);
bool iot_audit_ref_is_ours(const struct audit *a, const struct ref *r);
size_t iot_audit_count(const struct audit *a, enum verdict v);

/* report.c */
void iot_audit_report(const struct audit *a, bool json, bool verbose);

#endif
