/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refs.c - one pass over all code, for the system call instructions and
 * for every reference from one function to another; and one over all data, for
 * pointers to functions.
 *
 * References are direct calls and jumps, addresses taken (lea, or an absolute
 * immediate), uses of a GOT slot that holds a function's address, pointers in
 * data, and falling off the end of one function into the next.
 */
#include "config.h"
#include <capstone/x86.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "audit.h"

#define PASSES_MAX 64 /* data that jumps to data that ...: all of it is code, then */

static void add_ref(struct audit *a, uint32_t from, uint64_t target, uint64_t where)
{
	uint32_t to = iot_audit_func_at(a, target);

	if (to == NOT_A_FUNC || to == from)
		return;
	a->refs = iot_audit_grow(a->refs, a->n_refs, sizeof(*a->refs));
	a->refs[a->n_refs++] = (struct ref){
		.to = to,
		.from = from,
		.target = target,
		.where = where,
	};
}

static void add_slot_use(struct audit *a, uint32_t from, uint64_t slot)
{
	const struct section *s = iot_audit_section(a, slot);

	if (!s || !s->got)
		return;
	a->slot_uses = iot_audit_grow(a->slot_uses, a->n_slot_uses, sizeof(*a->slot_uses));
	a->slot_uses[a->n_slot_uses++] = (struct slot_use){.slot = slot, .from = from};
}

static void add_site(struct audit *a, uint32_t func, const cs_insn *in)
{
	struct site s = {.addr = in->address, .func = func};

	switch (in->id) {
	case X86_INS_SYSCALL:
		s.entry = BY_SYSCALL;
		break;
	case X86_INS_SYSENTER:
		s.entry = BY_SYSENTER;
		break;
	case X86_INS_INT:
		if ((in->detail->x86.operands[0].imm & 0xff) != 0x80)
			return;
		s.entry = BY_INT80;
		break;
	default:
		return;
	}
	a->sites = iot_audit_grow(a->sites, a->n_sites, sizeof(s));
	a->sites[a->n_sites++] = s;
}

static bool in_code(const struct audit *a, uint64_t addr)
{
	return addr >= a->code_lo && addr < a->code_hi;
}

static bool is_branch(const cs_insn *in)
{
	uint8_t i;

	for (i = 0; i < in->detail->groups_count; i++)
		if (in->detail->groups[i] == CS_GRP_JUMP || in->detail->groups[i] == CS_GRP_CALL ||
		    in->detail->groups[i] == CS_GRP_BRANCH_RELATIVE)
			return true;
	return false;
}

static void scan_memory_operand(struct audit *a, uint32_t func, const cs_insn *in,
				const x86_op_mem *mem)
{
	uint64_t addr = mem->disp;

	if (mem->segment != X86_REG_INVALID || mem->index != X86_REG_INVALID)
		return;
	if (mem->base == X86_REG_RIP)
		addr += in->address + in->size;
	else if (mem->base != X86_REG_INVALID)
		return;
	if (in->id == X86_INS_LEA) {
		if (in_code(a, addr))
			add_ref(a, func, addr, in->address);
	} else {
		add_slot_use(a, func, addr);
	}
}

/* Can the function be left otherwise than by a call that never returns? */
static bool may_return(const struct func *f, const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;
	uint8_t i;

	if (in->id == X86_INS_RET || in->id == X86_INS_RETF || in->id == X86_INS_IRETQ)
		return true;
	for (i = 0; i < in->detail->groups_count; i++) {
		if (in->detail->groups[i] != CS_GRP_JUMP)
			continue;
		return x->operands[0].type != X86_OP_IMM ||
		       (uint64_t)x->operands[0].imm < f->start ||
		       (uint64_t)x->operands[0].imm >= f->end;
	}
	return false;
}

/* What is jumped to is no data, whatever its symbol says. */
static void jump_to(struct audit *a, uint64_t target)
{
	uint32_t f = iot_audit_func_at(a, target);

	if (f != NOT_A_FUNC)
		a->funcs[f].data = false;
}

/* Does it only calculate or compare with its immediate?  O_TMPFILE, for one, is the
   address of what happens to lie there. */
static bool calculates(const cs_insn *in)
{
	return in->id == X86_INS_AND || in->id == X86_INS_OR || in->id == X86_INS_XOR || in->id == X86_INS_TEST ||
	       in->id == X86_INS_CMP;
}

static void scan_operands(struct audit *a, uint32_t func, const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;
	uint64_t v;
	uint8_t i;

	for (i = 0; i < x->op_count; i++) {
		if (x->operands[i].type == X86_OP_MEM) {
			scan_memory_operand(a, func, in, &x->operands[i].mem);
			continue;
		}
		if (x->operands[i].type != X86_OP_IMM)
			continue;
		v = x->operands[i].imm;
		if (!in_code(a, v))
			continue;
		if (is_branch(in)) {
			add_ref(a, func, v, in->address);
			jump_to(a, v);
		} else if (!a->pie && !calculates(in) && iot_audit_is_entry(a, v)) {
			/* Any number may look like an address; one of a function rarely does. */
			add_ref(a, func, v, in->address);
		}
	}
}

/* Does the code go on behind this instruction, as far as one can see? */
static bool goes_on(const cs_insn *in)
{
	switch (in->id) {
	case X86_INS_JMP:
	case X86_INS_LJMP:
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_IRETQ:
	case X86_INS_HLT:
	case X86_INS_UD2:
	case X86_INS_INT3:
	case X86_INS_CALL: /* the callee need not return, here it doesn't */
		return false;
	default:
		return true;
	}
}

static void scan_function(struct audit *a, const struct section *s, uint32_t func, cs_insn *in)
{
	struct func *f = &a->funcs[func];
	const uint8_t *code = s->data + (f->start - s->addr);
	uint64_t addr = f->start;
	size_t left = f->end - f->start;
	bool on = true; /* nothing but padding leads on */

	while (left) {
		if (!cs_disasm_iter(a->cs, &code, &left, &addr, in)) {
			/* Data, or an instruction that capstone does not know. */
			code++;
			addr++;
			left--;
			on = false;
			f->returns = true;
			continue;
		}
		add_site(a, func, in);
		scan_operands(a, func, in);
		if (in->id != X86_INS_NOP)
			on = goes_on(in);
		f->returns |= may_return(f, in);
	}
	f->returns |= on;
	if (on && f->end < s->addr + s->size)
		add_ref(a, func, f->end, f->end - 1);
}

static int compare_sites(const void *x, const void *y)
{
	const struct site *a = x, *b = y;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void scan_code(struct audit *a)
{
	const struct section *s = NULL;
	cs_insn *in = cs_malloc(a->cs);
	bool more = true;
	size_t i, pass;

	if (!in)
		iot_audit_fail(a, "out of memory");
	for (pass = 0; more; pass++) {
		more = false;
		for (i = 0; i < a->n_funcs; i++) {
			if (a->funcs[i].scanned || (a->funcs[i].data && pass < PASSES_MAX))
				continue;
			if (!s || a->funcs[i].start - s->addr >= s->size)
				s = iot_audit_section(a, a->funcs[i].start);
			scan_function(a, s, i, in);
			a->funcs[i].scanned = more = true;
		}
	}
	cs_free(in, 1);
	if (a->n_sites)
		qsort(a->sites, a->n_sites, sizeof(*a->sites), compare_sites);
}

static int compare_slot_uses(const void *x, const void *y)
{
	const struct slot_use *a = x, *b = y;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

/*
 * A pointer in data.  One in a GOT slot belongs to the code that reads the
 * slot; a slot that no instruction names may be read by any.
 */
static void add_pointer(struct audit *a, const struct section *s, uint64_t where, uint64_t target)
{
	size_t lo = 0, hi = a->n_slot_uses;

	if (!in_code(a, target))
		return;
	if (!s || !s->got) {
		add_ref(a, NOT_A_FUNC, target, where);
		return;
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (a->slot_uses[mid].slot < where)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == a->n_slot_uses || a->slot_uses[lo].slot != where)
		add_ref(a, NOT_A_FUNC, target, where);
	for (; lo < a->n_slot_uses && a->slot_uses[lo].slot == where; lo++)
		add_ref(a, a->slot_uses[lo].from, target, where);
}

/* Compilers align pointers to 8, those of tables of jumps among them; packed structures
   align functions' to 4 at least.  Halves of larger numbers are none: libc has a table of
   powers of ten. */
static bool may_be_pointer(const struct audit *a, uint64_t where, uint64_t v)
{
	return in_code(a, v) && (where % 8 == 0 || iot_audit_is_entry(a, v));
}

static void scan_data(struct audit *a)
{
	size_t i, off, section = 0, item = 0;
	uint64_t v, where;

	for (i = 0; i < a->n_sections; i++) {
		const struct section *s = &a->sections[i];

		if (!s->pointers || s->size < sizeof(v))
			continue;
		/* Where pointers have relocations, what merely looks like one, as small
		   numbers do when code begins near 0, is none. */
		if (a->pie && !a->relr)
			break;
		for (off = (8 - s->addr % 4) % 4; off <= s->size - sizeof(v); off += 4) {
			memcpy(&v, s->data + off, sizeof(v));
			if (may_be_pointer(a, s->addr + off, v))
				add_pointer(a, s, s->addr + off, v);
		}
	}
	while (iot_audit_relocation(a, &section, &item, &where, &v))
		add_pointer(a, iot_audit_section(a, where), where, v);
	if (a->entry)
		add_ref(a, FROM_KERNEL, a->entry, 0);
}

static int compare_refs(const void *x, const void *y)
{
	const struct ref *a = x, *b = y;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->where != b->where)
		return a->where < b->where ? -1 : 1;
	return a->target < b->target ? -1 : a->target > b->target;
}

static void index_refs(struct audit *a)
{
	size_t i;

	if (a->n_refs)
		qsort(a->refs, a->n_refs, sizeof(*a->refs), compare_refs);
	for (i = 0; i < a->n_refs; i++) {
		struct func *f = &a->funcs[a->refs[i].to];

		if (!f->n_refs++)
			f->first_ref = i;
	}
}

static bool has_suffix_cold(const char *name, size_t *stem)
{
	const char *p = strstr(name, ".cold");

	if (!p || (p[5] && p[5] != '.'))
		return false;
	*stem = p - name;
	return true;
}

/* Renaming libc's functions to iot_real_NAME leaves their NAME.cold alone. */
static bool has_name(const struct audit *a, uint32_t func, const char *name, size_t n)
{
	const struct func *f = &a->funcs[func];
	uint32_t i;

	for (i = f->first_symbol; i < f->first_symbol + f->n_symbols; i++) {
		const char *s = a->symbols[i].name;

		if (!strncmp(s, IOT_REAL, sizeof(IOT_REAL) - 1))
			s += sizeof(IOT_REAL) - 1;
		if (strlen(s) == n && !memcmp(s, name, n))
			return true;
	}
	return false;
}

/*
 * Compilers move unlikely parts elsewhere (NAME.cold): these are one function,
 * if NAME is all that leads there.  Several local functions may be NAME.
 */
static void join_cold_parts(struct audit *a)
{
	size_t i, k, n;
	uint32_t from;

	for (i = 0; i < a->n_funcs; i++) {
		struct func *f = &a->funcs[i];

		if (!f->n_refs || !f->name || !has_suffix_cold(f->name, &n))
			continue;
		from = a->refs[f->first_ref].from;
		for (k = f->first_ref; k < f->first_ref + f->n_refs; k++)
			if (a->refs[k].from != from)
				from = NOT_A_FUNC;
		if (from < FROM_KERNEL && has_name(a, from, f->name, n))
			f->owner = from;
	}
}

void iot_audit_scan(struct audit *a)
{
	scan_code(a);
	if (a->n_slot_uses)
		qsort(a->slot_uses, a->n_slot_uses, sizeof(*a->slot_uses), compare_slot_uses);
	scan_data(a);
	index_refs(a);
	join_cold_parts(a);
}
