/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind-cfi.c - what an entry of .eh_frame (an FDE) says of an address: its instructions are
 * carried out up to there, and of the registers only the frame pointer is followed.
 * Nothing that it reads is believed: a table that makes no sense gives no rule.
 */
#include <string.h>

#include "arch-unwind.h"
#include "unwind.h"

struct reader {
	uintptr_t at, from;		/* from: where buf begins */
	uint32_t n;
	bool bad;
	uint8_t buf[128];
};

/* Where the caller's frame pointer, or the return address is: so far from the CFA, or */
#define SAME	1			/* where it was, */
#define LOST	3			/* not known where, */
#define AT_FP	5			/* where the frame pointer points to, */
#define NOWHERE 7			/* there is none */

struct row {
	uint32_t reg;
	int32_t offset, fp, ra;
	uintptr_t expr;			/* instead of register and offset; 0: none */
};

struct cfi {
	struct reader r;
	struct row row, first, kept;	/* kept: compilers keep one at a time */
	uint32_t code_align;
	int32_t data_align;
	bool augmented, signal;
};

static uint32_t byte(struct reader *r)
{
	if (r->at - r->from >= r->n) {
		/* not beyond the page: the next one may not be there */
		r->from = r->at;
		r->n = (uint32_t)(IOT_PAGE - r->at % IOT_PAGE);
		if (r->n > sizeof(r->buf))
			r->n = sizeof(r->buf);
		if (!iot_host_read(r->buf, r->at, r->n)) {
			r->bad = true;
			r->n = 0;
			return 0;
		}
	}
	return r->buf[r->at++ - r->from];
}

static uint64_t number(struct reader *r, uint32_t bytes)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < bytes; i++)
		v |= (uint64_t)byte(r) << 8 * i;
	return v;
}

static uint64_t leb(struct reader *r, bool is_signed)
{
	uint64_t v = 0, b;
	uint32_t shift = 0;

	do {
		b = byte(r);
		v |= shift < 64 ? (b & 127) << shift : 0;
		shift += 7;
	} while (b & 128 && !r->bad);
	if (is_signed && b & 64 && shift < 64)
		v |= ~0ULL << shift;
	return v;
}

/* The only way in which compilers encode where an entry begins: from here, in 4 bytes. */
#define FROM_HERE 0x1b

/* What holds for many entries.  Returns where its instructions end. */
static uintptr_t common(struct cfi *c, uintptr_t at)
{
	struct reader *r = &c->r;
	uintptr_t end, data;
	char aug[8] = "";
	uint32_t n = 0;

	r->at = at;
	end = at + 4 + number(r, 4);
	/* no entry, of a version that is known */
	r->bad |= end - at > 1 << 16 || number(r, 4) != 0 || (byte(r) | 2) != 3;
	do
		aug[n] = (char)byte(r);
	while (aug[n] && ++n < sizeof(aug));
	r->bad |= n == sizeof(aug) || (n && aug[0] != 'z');
	c->code_align = (uint32_t)leb(r, false);
	c->data_align = (int32_t)leb(r, true);
	r->bad |= byte(r) != IOT_DW_RA;
	if (!n || r->bad)
		return end;
	c->augmented = true;
	data = leb(r, false);
	data += r->at;
	for (uint32_t i = 1; i < n; i++) {
		if (aug[i] == 'S')
			c->signal = true;
		else if (aug[i] == 'R')
			r->bad |= byte(r) != FROM_HERE;
		else if (aug[i] == 'P')
			r->at += byte(r) & 7 ? 4 : 8;
		else if (aug[i] == 'L')
			byte(r);
		else
			r->bad = true;
	}
	r->at = data;
	return end;
}

static void set(struct cfi *c, uint64_t reg, int32_t to)
{
	if (reg == IOT_DW_FP)
		c->row.fp = to;
	else if (reg == IOT_DW_RA)
		c->row.ra = to;
}

static void restore(struct cfi *c, uint64_t reg)
{
	set(c, reg, reg == IOT_DW_FP ? c->first.fp : c->first.ra);
}

/* Whether the expression is the frame pointer and so much, and what lies there. */
static bool is_at_fp(struct cfi *c, uintptr_t expr, bool word, int32_t *offset)
{
	uintptr_t after = c->r.at, end;
	bool is;

	c->r.at = expr;
	end = leb(&c->r, false);
	end += c->r.at;
	is = byte(&c->r) == 0x70 + IOT_DW_FP;
	*offset = (int32_t)leb(&c->r, true);
	is = is && (!word || byte(&c->r) == 0x06) && c->r.at == end;
	c->r.at = after;
	return is;
}

/* Whether it is what linkers say of an entry of a procedure linkage table. */
static bool is_linkage(struct cfi *c, uintptr_t expr, uintptr_t pc, int32_t *words)
{
	static const uint8_t code[] = IOT_DW_LINKAGE;
	uintptr_t after = c->r.at;
	uint32_t from = 0;
	bool is = true;

	c->r.at = expr;
	for (uint32_t i = 0; i < sizeof(code); i++) {
		uint32_t b = byte(&c->r);

		if (!code[i])
			is = is && ((i == IOT_DW_LINKAGE_WORD && !b) || (i == IOT_DW_LINKAGE_FROM && (from = b - 0x30) < 16));
		else
			is = is && b == code[i];
	}
	c->r.at = after;
	*words = 1 + ((pc & 15) >= from);
	return is;
}

/* Their operands, two each: u, s: numbers; e: an expression; 1, 2, 4: so many bytes; !: it
   is not known, or on no machine that we know. */
static const char operands[] = "  !!1 2 4 uuu u u uu    uuu u e ueususs uuusue";
#define ARGS_SIZE 0x2e			/* tells nothing that matters, and has a number */

static void operand(struct cfi *c, char kind, uint64_t *to)
{
	struct reader *r = &c->r;

	if (kind == 'e') {
		*to = r->at;
		r->at += leb(r, false);
	} else if (kind == 'u' || kind == 's') {
		*to = leb(r, kind == 's');
	} else if (kind == '!') {
		r->bad = true;
	} else if (kind != ' ') {
		*to = number(r, (uint32_t)(kind - '0'));
	}
}

static void define_cfa(struct cfi *c, uint64_t reg, int32_t offset)
{
	c->row.reg = (uint32_t)reg;
	c->row.offset = offset;
	c->row.expr = 0;
}

/* One with operands a and b; returns how far the address moves. */
static uint64_t extended(struct cfi *c, uint32_t op, uint64_t a, uint64_t b)
{
	int32_t scaled = (int32_t)b * c->data_align, none;

	switch (op) {
	case 0x02: case 0x03: case 0x04:	/* advance_loc */
		return a * c->code_align;
	case 0x05: case 0x11:			/* offset */
		set(c, a, scaled);
		break;
	case 0x06:				/* restore */
		restore(c, a);
		break;
	case 0x07:				/* undefined */
		set(c, a, a == IOT_DW_RA ? NOWHERE : LOST);
		break;
	case 0x08:				/* same_value */
		set(c, a, SAME);
		break;
	case 0x09: case 0x14: case 0x15: case 0x16:	/* register, val_offset, val_expression */
		set(c, a, LOST);
		break;
	case 0x0a:				/* remember_state */
		c->kept = c->row;
		break;
	case 0x0b:				/* restore_state */
		c->row = c->kept;
		break;
	case 0x0c:				/* def_cfa */
		define_cfa(c, a, (int32_t)b);
		break;
	case 0x12:				/* def_cfa_sf */
		define_cfa(c, a, scaled);
		break;
	case 0x0d:				/* def_cfa_register */
		define_cfa(c, a, c->row.offset);
		break;
	case 0x0e:				/* def_cfa_offset */
		c->row.offset = (int32_t)a;
		break;
	case 0x13:				/* def_cfa_offset_sf */
		c->row.offset = (int32_t)a * c->data_align;
		break;
	case 0x0f:				/* def_cfa_expression */
		c->row.expr = a;
		break;
	case 0x10:				/* expression */
		set(c, a, is_at_fp(c, b, false, &none) && !none ? AT_FP : LOST);
		break;
	}
	return 0;
}

/* The instructions up to end, or up to those for what comes behind pc. */
static void run(struct cfi *c, uintptr_t end, uintptr_t loc, uintptr_t pc)
{
	while (c->r.at < end && !c->r.bad) {
		uint32_t op = byte(&c->r), low = op & 63;
		uint64_t arg[2] = { 0, 0 };

		if (op >> 6 == 1) {
			loc += low * c->code_align;
		} else if (op >> 6 == 2) {
			set(c, low, (int32_t)leb(&c->r, false) * c->data_align);
		} else if (op >> 6 == 3) {
			restore(c, low);
		} else if (op == ARGS_SIZE) {
			leb(&c->r, false);
		} else {
			op = op < sizeof(operands) / 2 ? op : 1;
			operand(c, operands[2 * op], &arg[0]);
			operand(c, operands[2 * op + 1], &arg[1]);
			loc += extended(c, op, arg[0], arg[1]);
		}
		if (loc > pc)
			break;
	}
}

static uint32_t rule(struct cfi *c, uintptr_t pc)
{
	const struct row *row = &c->row;
	uint32_t slot = IOT_SLOT_LOST;
	int32_t words = row->offset / 8;
	enum iot_way way = row->reg == IOT_DW_SP ? IOT_BY_SP : IOT_BY_FP;

	if (c->signal)
		return IOT_RULE(IOT_BY_SIGNAL, 0, 0);
	if (row->fp == SAME)
		slot = IOT_SLOT_KEPT;
	else if (row->fp % 8 == 0 && row->fp <= -16 && row->fp >= -8 * (int32_t)IOT_SLOT_MAX)
		slot = (uint32_t)(-row->fp / 8);
	if (row->expr && is_linkage(c, row->expr, pc, &words)) {
		way = IOT_BY_SP;
	} else if (row->expr) {
		way = IOT_BY_WORD;
		if (row->fp != AT_FP || !is_at_fp(c, row->expr, true, &words) || words % 8)
			return IOT_RULE(IOT_AT_END, 0, 0);
		words /= -8;
	} else if (row->offset % 8 || (row->reg != IOT_DW_SP && row->reg != IOT_DW_FP)) {
		return IOT_RULE(IOT_AT_END, 0, 0);
	}
	if (row->ra != -8 || words <= 0 || words > (int32_t)IOT_RULE_MAX)
		return IOT_RULE(IOT_AT_END, 0, 0);
	return IOT_RULE(way, slot, words);
}

uint32_t iot_cfi(uintptr_t entry, uintptr_t pc, uint64_t *room)
{
	struct cfi *c = (struct cfi *)room;
	struct reader *r = &c->r;
	uint64_t length, back, start, size;
	uintptr_t end, common_end;

	_Static_assert(sizeof(*c) <= sizeof(((struct iot_walking *)0)->tables), "room for it");
	memset(c, 0, sizeof(*c));
	c->row.fp = SAME;
	c->row.ra = LOST;
	r->at = entry;
	length = number(r, 4);
	back = number(r, 4);
	end = entry + 4 + length;
	if (r->bad || !back || length > 1 << 24)
		return 0;
	common_end = common(c, entry + 4 - back);
	if (r->bad)
		return 0;
	run(c, common_end, 0, ~0UL);
	c->first = c->row;
	r->at = entry + 8;
	start = entry + 8 + (uint64_t)(int64_t)(int32_t)number(r, 4);
	size = number(r, 4);
	if (r->bad || pc - start >= size)
		return 0;
	if (c->augmented) {
		size = leb(r, false);
		r->at += size;
	}
	run(c, end, start, pc);
	return r->bad ? IOT_RULE(IOT_AT_END, 0, 0) : rule(c, pc);
}
