/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch-access.h - x86-64: whether the instruction that faulted reads memory or writes it.  The
 * kernel knows, and does not tell.
 *
 * Most instructions read what they name in memory; those that write are few, and listed
 * here.  Which end of a string instruction faulted its registers tell.
 */
#ifndef IOT_ARCH_ACCESS_H
#define IOT_ARCH_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Registers as the kernel's events number them, in that order: where strings are moved from
   (rsi), and to (rdi); the frame pointer and the stack pointer. */
#define IOT_ACCESS_REGS (1u << 4 | 1u << 5 | 1u << 6 | 1u << 7)
/* so many bytes of code tell */
#define IOT_ACCESS_CODE 16

enum iot_access { IOT_READS, IOT_WRITES, IOT_MOVES_STRING };

static inline bool iot_in(const uint8_t *list, uint32_t n, uint8_t op)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i] == op)
			return true;
	return false;
}
#define IOT_IN(op, ...) iot_in((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), op)

/* Of one byte; reg: the three bits in the next one. */
static inline enum iot_access iot_access_one(uint8_t op, uint8_t reg)
{
	if (op == 0xa4 || op == 0xa5)			/* movs */
		return IOT_MOVES_STRING;
	if (op < 0x40)					/* add, or, ...: to memory; not cmp */
		return (op & 7) < 2 && op < 0x38 ? IOT_WRITES : IOT_READS;
	if (op == 0x80 || op == 0x81 || op == 0x83)
		return reg == 7 ? IOT_READS : IOT_WRITES;
	if (op == 0xf6 || op == 0xf7)			/* not, neg */
		return reg == 2 || reg == 3 ? IOT_WRITES : IOT_READS;
	if (op == 0xfe || op == 0xff)			/* inc, dec */
		return reg < 2 ? IOT_WRITES : IOT_READS;
	if (op == 0xd9)
		return reg == 2 || reg == 3 || reg > 5 ? IOT_WRITES : IOT_READS;
	if (op == 0xdb || op == 0xdd || op == 0xdf)	/* the old floating-point unit's stores */
		return (reg >= 1 && reg <= 3) || reg == 7 || (op != 0xdb && reg == 6) ? IOT_WRITES : IOT_READS;
	return IOT_IN(op, 0x86, 0x87, 0x88, 0x89, 0x8c, 0x8f, 0xa2, 0xa3, 0xaa, 0xab, 0xc0, 0xc1, 0xc6, 0xc7, 0xd0,
		      0xd1, 0xd2, 0xd3) ?
		       IOT_WRITES :
		       IOT_READS;
}

/* Behind 0x0f, and what VEX and EVEX have in its place.  rep: the prefix 0xf3. */
static inline enum iot_access iot_access_two(uint8_t op, uint8_t reg, bool rep)
{
	bool writes;

	if (op == 0x7e)					/* movd to memory, movq from it */
		writes = !rep;
	else if (op == 0xba)				/* bts, btr, btc */
		writes = reg > 4;
	else if (op == 0xae)				/* fxsave, stmxcsr, xsave, xsaveopt */
		writes = reg == 0 || reg == 3 || reg == 4 || reg == 6;
	else if (op == 0xc7)				/* cmpxchg8b, xsavec, xsaves */
		writes = reg == 1 || reg == 4 || reg == 5;
	else
		writes = (op & 0xf0) == 0x90 ||		/* setcc */
			 IOT_IN(op, 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7f, 0xa4, 0xa5, 0xab, 0xac, 0xad, 0xb0, 0xb1, 0xb3,
				0xbb, 0xc0, 0xc1, 0xc3, 0xd6, 0xe7);
	return writes ? IOT_WRITES : IOT_READS;
}

/* Behind 0x0f 0x38 (map 2) and 0x0f 0x3a (map 3): movbe; stores of AVX by a mask and of parts
   of a register. */
static inline enum iot_access iot_access_three(uint32_t map, uint8_t op, bool repne, bool rep, bool vector)
{
	bool writes;

	if (map == 3)
		writes = (op >= 0x14 && op <= 0x17) || (vector && IOT_IN(op, 0x19, 0x1b, 0x1d, 0x39, 0x3b));
	else if (!vector)
		writes = op == 0xf1 && !repne;
	else
		writes = IOT_IN(op, 0x2e, 0x2f, 0x63, 0x8a, 0x8b, 0x8e, 0xa0, 0xa1, 0xa2, 0xa3) ||
			 (rep && op >= 0x10 && op <= 0x35);
	return writes ? IOT_WRITES : IOT_READS;
}

/* VEX and EVEX: the map, and which prefix they stand for, are in bits of theirs. */
static inline enum iot_access iot_access_vector(const uint8_t *p)
{
	const uint32_t map = *p == 0xc5 ? 1 : p[1] & (*p == 0x62 ? 7 : 0x1f);
	const uint8_t pp = p[*p == 0xc5 ? 1 : 2] & 3, *op = p + (*p == 0xc5 ? 2 : *p == 0xc4 ? 3 : 4);

	if (map == 1)
		return iot_access_two(*op, op[1] >> 3 & 7, pp == 2);
	return iot_access_three(map, *op, pp == 3, pp == 2, true);
}

static inline enum iot_access iot_access_of(const uint8_t code[IOT_ACCESS_CODE])
{
	const uint8_t *p = code;
	bool rep = false, repne = false;

	for (; p < code + 8; p++) {
		rep |= *p == 0xf3;
		repne |= *p == 0xf2;
		if (!IOT_IN(*p, 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3) &&
		    (*p & 0xf0) != 0x40)
			break;
	}
	if (*p == 0xc4 || *p == 0xc5 || *p == 0x62)
		return iot_access_vector(p);
	if (*p != 0x0f)
		return iot_access_one(*p, p[1] >> 3 & 7);
	if (p[1] == 0x38 || p[1] == 0x3a)
		return iot_access_three(p[1] == 0x38 ? 2 : 3, p[2], repne, rep, false);
	return iot_access_two(p[1], p[2] >> 3 & 7, rep);
}

#endif
