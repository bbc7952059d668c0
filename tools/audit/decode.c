/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decode.c - an x86-64 function as the few kinds of steps that say what
 * is in which register when a system call instruction is reached.
 *
 * What is not understood becomes OP_NONE with the registers that it writes:
 * their values are then unknown, never wrong.
 */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "../../analysis/x86.h"
#include "audit.h"

#define NO_REG IOTA_X86_REGISTERS
#define SYSIOTA_X86_CLOBBERED 0x0803 /* rax rcx r11 */
#define TABLES_MAX (1 << 20)	/* jump tables' entries; more: they lead anywhere */
#define RSP 4

/* Number of the register in the encoding of instructions; width in bytes. */
static uint8_t reg_number(unsigned reg, unsigned *width)
{
	uint8_t n, k;

	*width = 1;
	if (reg == X86_REG_AH)
		return 0;
	if (reg == X86_REG_CH)
		return 1;
	if (reg == X86_REG_DH)
		return 2;
	if (reg == X86_REG_BH)
		return 3;
	for (n = 0; n < NO_REG; n++)
		for (k = 0; k < 4; k++)
			if (iota_x86_registers[n][k] == reg) {
				*width = 8 >> k;
				return n;
			}
	*width = 0;
	return NO_REG;
}

/* The number of a register of 32 or 64 bits, or NO_REG. */
static uint8_t whole_register(const cs_x86_op *op)
{
	unsigned width;
	uint8_t n;

	if (op->type != X86_OP_REG)
		return NO_REG;
	n = reg_number(op->reg, &width);
	return width >= 4 ? n : NO_REG;
}

static void note_writes(const struct audit *a, const cs_insn *in, struct step *s)
{
	cs_regs reads, writes;
	uint8_t n_reads, n_writes, i, n;
	unsigned width;

	if (cs_regs_access(a->cs, in, reads, &n_reads, writes, &n_writes) != CS_ERR_OK) {
		s->writes = 0xffff;
		s->stack = true;
		return;
	}
	for (i = 0; i < n_writes; i++) {
		n = reg_number(writes[i], &width);
		if (n != NO_REG)
			s->writes |= 1u << n;
	}
	/* Don't depend on operand access flags alone. */
	if (in->detail->x86.op_count && in->detail->x86.operands[0].type == X86_OP_REG &&
	    in->id != X86_INS_CMP && in->id != X86_INS_TEST && in->id != X86_INS_PUSH) {
		n = reg_number(in->detail->x86.operands[0].reg, &width);
		if (n != NO_REG)
			s->writes |= 1u << n;
	}
	s->stack = s->writes & (1u << RSP);
	for (i = 0; i < in->detail->x86.op_count; i++)
		if (in->detail->x86.operands[i].type == X86_OP_MEM && in->id != X86_INS_LEA &&
		    (in->detail->x86.operands[i].access & CS_AC_WRITE))
			s->stack = true;
}

static void set_const(struct step *s, uint8_t dst, int64_t imm)
{
	s->op = OP_CONST;
	s->dst = dst;
	s->imm = imm;
}

static void set_copy(struct step *s, uint8_t dst, uint8_t src, int64_t add)
{
	s->op = OP_COPY;
	s->dst = dst;
	s->src = src;
	s->imm = add;
}

static void decode_lea(const cs_x86 *x, struct step *s, uint8_t dst)
{
	const x86_op_mem *m = &x->operands[1].mem;
	unsigned width;
	uint8_t base;

	if (x->operands[1].type != X86_OP_MEM || m->index != X86_REG_INVALID)
		return;
	if (m->base == X86_REG_INVALID) {
		set_const(s, dst, m->disp);
		return;
	}
	base = reg_number(m->base, &width);
	if (base != NO_REG && width == 8)
		set_copy(s, dst, base, m->disp);
}

static void decode_two_operands(const struct audit *a, const cs_insn *in, struct step *s)
{
	const cs_x86 *x = &in->detail->x86;
	uint8_t dst = whole_register(&x->operands[0]);
	uint8_t src = whole_register(&x->operands[1]);
	bool imm = x->operands[1].type == X86_OP_IMM;

	if (dst == NO_REG)
		return;
	switch (in->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		if (imm)
			set_const(s, dst, x->operands[1].imm);
		else if (src != NO_REG)
			set_copy(s, dst, src, 0);
		break;
	case X86_INS_XOR:
	case X86_INS_SUB:
		if (src == dst)
			set_const(s, dst, 0);
		else if (imm && in->id == X86_INS_SUB)
			set_copy(s, dst, dst, -(uint64_t)x->operands[1].imm);
		break;
	case X86_INS_ADD:
		if (imm)
			set_copy(s, dst, dst, x->operands[1].imm);
		break;
	case X86_INS_AND:
		if (imm && !x->operands[1].imm)
			set_const(s, dst, 0);
		break;
	case X86_INS_OR:
		if (imm && x->operands[1].imm == -1)
			set_const(s, dst, -1);
		break;
	case X86_INS_LEA:
		decode_lea(x, s, dst);
		break;
	default:
		if (src != NO_REG && cs_insn_group(a->cs, in, X86_GRP_CMOV)) {
			s->op = OP_MERGE;
			s->dst = dst;
			s->src = src;
		}
		break;
	}
}

static void decode_op(const struct audit *a, const cs_insn *in, struct step *s)
{
	const cs_x86 *x = &in->detail->x86;
	uint8_t reg;

	s->nop = in->id == X86_INS_NOP;
	if (s->nop)
		return;
	note_writes(a, in, s);
	switch (in->id) {
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
	case X86_INS_INT:
		s->op = OP_SYSCALL;
		s->writes |= SYSIOTA_X86_CLOBBERED;
		return;
	case X86_INS_CALL:
	case X86_INS_LCALL:
		s->writes |= IOTA_X86_CLOBBERED;
		s->stack = true;
		return;
	case X86_INS_PUSH:
		reg = x->op_count ? whole_register(&x->operands[0]) : NO_REG;
		if (x->operands[0].type == X86_OP_IMM) {
			s->op = OP_PUSH_CONST;
			s->imm = x->operands[0].imm;
		} else if (reg != NO_REG) {
			s->op = OP_PUSH;
			s->src = reg;
		}
		return;
	case X86_INS_POP:
		reg = x->op_count ? whole_register(&x->operands[0]) : NO_REG;
		if (reg != NO_REG) {
			s->op = OP_POP;
			s->dst = reg;
		}
		return;
	}
	if (x->op_count == 2)
		decode_two_operands(a, in, s);
}

static bool never_returns(const struct audit *a, const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;
	uint32_t f;

	if (!x->op_count || x->operands[0].type != X86_OP_IMM)
		return false;
	f = iot_audit_func_at(a, x->operands[0].imm);
	return f != NOT_A_FUNC && !a->funcs[f].returns;
}

static void decode_flow(const struct audit *a, const struct func *f, const cs_insn *in,
			struct step *s)
{
	const cs_x86 *x = &in->detail->x86;
	uint64_t target;

	switch (in->id) {
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_IRETQ:
	case X86_INS_HLT:
	case X86_INS_UD2:
		s->flow = FLOW_STOP;
		return;
	case X86_INS_CALL:
		if (never_returns(a, in))
			s->flow = FLOW_STOP;
		return;
	}
	if (!cs_insn_group(a->cs, in, CS_GRP_JUMP))
		return;
	if (!x->op_count || x->operands[0].type != X86_OP_IMM) {
		s->flow = FLOW_INDIRECT;
		return;
	}
	target = x->operands[0].imm;
	if (target >= f->start && target < f->end) {
		s->flow = in->id == X86_INS_JMP ? FLOW_JUMP : FLOW_BRANCH;
		s->target = target - f->start;
	} else {
		s->flow = in->id == X86_INS_JMP ? FLOW_STOP : FLOW_NEXT;
	}
}

/*
 * Tables of a switch in position-independent code: distances from the table's
 * own address, which some lea loads.  Whatever in the function they can lead to
 * is marked as a place to which one may come with anything in the registers, or
 * all of it if the tables are absurdly many.
 */
static void mark_jump_table(const struct audit *a, const struct func *f, const cs_insn *in,
			    uint8_t *leaders, size_t *budget)
{
	const cs_x86 *x = &in->detail->x86;
	const struct section *s;
	uint64_t table, target;
	int32_t distance;
	size_t off;

	if (in->id != X86_INS_LEA || x->op_count != 2 || x->operands[1].type != X86_OP_MEM ||
	    x->operands[1].mem.base != X86_REG_RIP)
		return;
	table = in->address + in->size + x->operands[1].mem.disp;
	s = iot_audit_section(a, table);
	if (!s)
		return;
	for (off = table - s->addr; s->size - off >= sizeof(distance); off += sizeof(distance)) {
		memcpy(&distance, s->data + off, sizeof(distance));
		target = table + distance;
		if (target < f->start || target >= f->end)
			return;
		if (!*budget) {
			memset(leaders, 1, f->end - f->start);
			return;
		}
		--*budget;
		leaders[target - f->start] = 1;
	}
}

/*
 * Decode the function.  leaders has a byte for each of the function's: set for
 * those places that jump tables lead to.  Returns the number of steps.
 */
size_t iot_audit_decode(const struct audit *a, const struct func *f, struct step **steps,
			uint8_t *leaders)
{
	const struct section *sec = iot_audit_section(a, f->start);
	const uint8_t *code = sec->data + (f->start - sec->addr);
	uint64_t addr = f->start;
	size_t left = f->end - f->start, n = 0;
	cs_insn *in = cs_malloc(a->cs);
	struct step *all = NULL;
	size_t budget = TABLES_MAX;

	if (!in)
		iot_audit_fail(a, "out of memory");
	while (left) {
		struct step s = {.off = addr - f->start};

		if (cs_disasm_iter(a->cs, &code, &left, &addr, in)) {
			decode_op(a, in, &s);
			decode_flow(a, f, in, &s);
			mark_jump_table(a, f, in, leaders, &budget);
		} else {
			code++;
			addr++;
			left--;
			s.writes = 0xffff;
			s.stack = true;
		}
		s.next = addr - f->start;
		all = iot_audit_grow(all, n, sizeof(s));
		all[n++] = s;
	}
	cs_free(in, 1);
	*steps = all;
	return n;
}
