/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code.c - the instructions of a function: where each goes on, and from where to where it moves
 * values.  Values are followed through general registers and through memory that is named alike
 * (a variable on the stack, a member of a structure), which is what compilers make of variables.
 */
#include "config.h"

#include <capstone/capstone.h>
#include <errno.h>
#include <stdlib.h>

#include "code.h"
#include "constellation.h"
#include "x86.h"

#define MAX_SIZE (1 << 20) /* bytes of a function */

/* Filled when the first function is decoded: a search for each operand would be most of the work. */
static uint16_t bit_of_register[X86_REG_ENDING];

static void number_registers(void)
{
	unsigned i, k;

	for (i = 0; i < IOTA_X86_REGISTERS; i++)
		for (k = 0; k < 4; k++)
			bit_of_register[iota_x86_registers[i][k]] = (uint16_t)(1u << i);
}

static uint16_t bit_of(unsigned reg)
{
	return reg < X86_REG_ENDING ? bit_of_register[reg] : 0;
}

/* The same for whatever is named alike; not 0. */
static uint64_t place_of(const x86_op_mem *m)
{
	uint64_t h = (uint64_t)m->base << 48 ^ (uint64_t)m->index << 32 ^ (uint64_t)m->scale << 28;

	return (h ^ (uint64_t)m->disp) * 0x9e3779b97f4a7c15u | 1;
}

static void note_operand(struct iota_insn *to, const cs_insn *in, const cs_x86_op *op)
{
	switch ((int)op->type) {
	case X86_OP_REG:
		to->reads |= op->access & CS_AC_READ ? bit_of(op->reg) : 0;
		to->writes |= op->access & CS_AC_WRITE ? bit_of(op->reg) : 0;
		break;
	case X86_OP_MEM:
		if (in->id == X86_INS_LEA) {
			to->reads |= bit_of(op->mem.base) | bit_of(op->mem.index);
			break;
		}
		if (op->access & CS_AC_READ)
			to->loads = place_of(&op->mem);
		if (op->access & CS_AC_WRITE)
			to->stores = place_of(&op->mem);
		break;
	default:
		break;
	}
}

/* xor %eax,%eax and the like: what was there before has no part in the result. */
static bool is_zero(const cs_insn *in)
{
	const cs_x86_op *op = in->detail->x86.operands;

	return (in->id == X86_INS_XOR || in->id == X86_INS_SUB) && op[0].type == X86_OP_REG &&
	       op[1].type == X86_OP_REG && op[0].reg == op[1].reg;
}

static void note_values(struct iota_insn *to, const cs_insn *in)
{
	const cs_detail *d = in->detail;
	unsigned i;

	if (to->is_call) {
		to->writes = IOTA_X86_CLOBBERED;
		return;
	}
	for (i = 0; i < d->regs_read_count; i++)
		to->reads |= bit_of(d->regs_read[i]);
	for (i = 0; i < d->regs_write_count; i++)
		to->writes |= bit_of(d->regs_write[i]);
	for (i = 0; i < d->x86.op_count; i++)
		note_operand(to, in, &d->x86.operands[i]);
	if (is_zero(in))
		to->reads = 0;
}

static bool ends_all(const cs_insn *in)
{
	return in->id == X86_INS_RET || in->id == X86_INS_UD2 || in->id == X86_INS_HLT || in->id == X86_INS_INT3;
}

/* A jump's address is kept in .to until all instructions are there. */
static void note_flow(csh cs, struct iota_insn *to, const cs_insn *in)
{
	const cs_x86_op *op = in->detail->x86.operands;
	bool jumps = cs_insn_group(cs, in, X86_GRP_JUMP);

	to->jumps = jumps;
	to->is_call = in->id == X86_INS_CALL;
	to->is_nop = in->id == X86_INS_NOP;
	to->stops = ends_all(in) || in->id == X86_INS_JMP;
	to->anywhere = in->id == X86_INS_JMP && op[0].type != X86_OP_IMM;
	to->leaves = in->id == X86_INS_RET;
	to->to = jumps && op[0].type == X86_OP_IMM && (uint64_t)op[0].imm < MAX_SIZE ? (uint32_t)op[0].imm : IOTA_NOWHERE;
}

/* errno is where __errno_location() has said, just before. */
static bool is_errno(const cs_x86_op *op)
{
	return op->type == X86_OP_MEM && op->mem.base == X86_REG_RAX && op->mem.index == X86_REG_INVALID && !op->mem.disp;
}

static bool is_eintr(const cs_insn *in)
{
	const cs_x86_op *op = in->detail->x86.operands;

	return in->id == X86_INS_CMP && op[1].type == X86_OP_IMM && op[1].imm == EINTR;
}

/* Does it compare errno with EINTR?  *step: how much of that was seen. */
static bool asks_interrupted(const cs_insn *in, unsigned *step)
{
	const cs_x86_op *op = in->detail->x86.operands;
	bool asks = is_eintr(in) && ((*step == 1 && is_errno(&op[0])) || (*step == 2 && op[0].type == X86_OP_REG));

	if (in->id == X86_INS_CALL)
		*step = 1;
	else
		*step = *step == 1 && in->id == X86_INS_MOV && is_errno(&op[1]) ? 2 : 0;
	return asks;
}

uint32_t iota_insn_before(const struct iota_code *code, size_t at)
{
	size_t lo = 0, hi = code->n - 1, mid; /* the last one is none: it has the end */

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (code->insn[mid + 1].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < code->n - 1 && code->insn[lo + 1].at == at ? (uint32_t)lo : IOTA_NOWHERE;
}

static void resolve(struct iota_code *code)
{
	size_t i;

	for (i = 0; i < code->n; i++) {
		struct iota_insn *in = &code->insn[i];
		uint32_t before;

		if (in->to && in->to != IOTA_NOWHERE) { /* the first one has none before it */
			before = iota_insn_before(code, in->to);
			in->to = before == IOTA_NOWHERE || before + 2 >= code->n ? IOTA_NOWHERE : before + 1;
		}
		in->leaves |= in->jumps && in->to == IOTA_NOWHERE && !in->anywhere;
	}
}

static bool decode(csh cs, struct iota_code *code, const unsigned char *bytes, size_t size)
{
	cs_insn *in = cs_malloc(cs);
	uint64_t at = 0;
	unsigned step = 0;
	size_t cap = 0;

	while (size && cs_disasm_iter(cs, &bytes, &size, &at, in)) {
		struct iota_insn *to;

		IOTA_ROOM(code->insn, code->n, cap);
		to = &code->insn[code->n++];
		*to = (struct iota_insn){.at = (uint32_t)in->address};
		note_flow(cs, to, in);
		note_values(to, in);
		to->interrupted = asks_interrupted(in, &step);
	}
	cs_free(in, 1);
	IOTA_ROOM(code->insn, code->n, cap);
	code->insn[code->n++] = (struct iota_insn){.at = (uint32_t)at, .to = IOTA_NOWHERE, .stops = true};
	return !size;
}

struct iota_code *iota_code_new(const unsigned char *bytes, size_t size)
{
	struct iota_code *code;
	bool good;
	csh cs;

	if (!size || size > MAX_SIZE || cs_open(CS_ARCH_X86, CS_MODE_64, &cs) != CS_ERR_OK)
		return NULL;
	number_registers();
	code = iota_malloc(sizeof(*code));
	*code = (struct iota_code){0};
	good = cs_option(cs, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK && decode(cs, code, bytes, size);
	cs_close(&cs);
	if (good)
		resolve(code);
	if (good && iota_loops_find(code))
		return code;
	iota_code_free(code);
	return NULL;
}

void iota_code_free(struct iota_code *code)
{
	if (!code)
		return;
	iota_loops_free(code);
	free(code->reached);
	free(code->insn);
	free(code);
}
