/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thin.c - which bytes of a file are kept where it has too many ranges to keep all.
 *
 * A file is cut into regions.  At level n one region is kept of each 2^n that lie side by side, as far as
 * anybody can tell by chance, and it is also kept at all levels below.  So what is kept follows from bytes and
 * level alone, whoever read or wrote them and when; and what is not there yet can be left out at once.
 */
#include "config.h"

#include "internal.h"

#define BITS 9 /* of an offset in a region */
#define REGION (1u << BITS)

/* Is the upper half kept of the group of that level and number? */
static unsigned upper(uint64_t group, unsigned level)
{
	uint64_t x = (group << 6 | level) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return (unsigned)(x >> 63);
}

/* Where the region begins that is kept of a group. */
static uint64_t kept(uint64_t group, unsigned level)
{
	for (; level; level--)
		group = 2 * group + upper(group, level);
	return group << BITS;
}

uint64_t iota_thin_group(uint64_t offset, unsigned level)
{
	return offset >> BITS >> level;
}

bool iota_thin_keeps(uint64_t offset, unsigned level)
{
	return kept(iota_thin_group(offset, level), level) == offset >> BITS << BITS;
}

bool iota_thin_part(const struct iota_interval *of, unsigned level, uint64_t group, struct iota_interval *part)
{
	uint64_t begin = kept(group, level);

	*part = *of;
	/* the byte before the region tells whether something begins with it */
	if (begin && begin - 1 > of->start)
		part->start = begin - 1;
	if (of->end > begin && of->end - begin > REGION)
		part->end = begin + REGION;
	return part->start < part->end;
}

/* Of a group's region, what lies between start and end. */
static uint64_t bytes_of(uint64_t group, unsigned level, uint64_t start, uint64_t end)
{
	uint64_t low = kept(group, level), high = low + REGION;

	low = low > start ? low : start;
	high = high < end ? high : end;
	return low < high ? high - low : 0;
}

uint64_t iota_thin_bytes(uint64_t start, uint64_t end, unsigned level)
{
	uint64_t first = iota_thin_group(start, level), last = iota_thin_group(end - 1, level);

	if (start >= end)
		return 0;
	if (first == last)
		return bytes_of(first, level, start, end);
	return bytes_of(first, level, start, end) + ((last - first - 1) << BITS) + bytes_of(last, level, start, end);
}

unsigned iota_thin_level(const struct iota_interval *of, uint64_t most)
{
	uint64_t regions = (of->end - of->start) >> BITS;
	unsigned level = 0;

	for (; regions / 2 > most; regions /= 2)
		level++;
	return level;
}

uint64_t iota_thin_regions(const struct iota_interval *of, uint64_t *counted)
{
	uint64_t first = of->start >> BITS, last = (of->end - 1) >> BITS, n;

	n = last - first + (first + 1 != *counted);
	*counted = last + 1;
	return n;
}
