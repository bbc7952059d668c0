/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.c - pieces of a file (analysis/pieces.c), held to an array that has the last writer
 * of each byte, and its readers since then; as TAP.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/constellation.h"

#define BYTES 40000
#define READERS 8 /* of a byte: then it is written */

static struct history {
	uint32_t writer, n, reader[READERS];
} byte[BYTES];
static struct iota_readers readers = {.free = IOTA_NO_RUN};
static uint64_t behind, end, n_pieces, wrong;
static uint32_t now;

static void compare(const struct iota_piece *p)
{
	uint32_t at, found[READERS], n = 0, i, j;

	for (at = p->readers; at != IOTA_NO_RUN && n < READERS; at = readers.cell[at].next)
		found[n++] = readers.cell[at].run;
	wrong += at != IOTA_NO_RUN;
	for (uint64_t b = p->start; b < p->end; b++) {
		const struct history *h = &byte[b];

		wrong += h->writer != p->writer || h->n != n;
		for (i = 0; i < n && i < h->n; i++) {
			/* in any order: a piece that was cut has them the other way round */
			for (j = 0; j < n && found[j] != h->reader[i]; j++)
				;
			wrong += j == n;
		}
	}
}

static void see(void *writes, struct iota_piece *p)
{
	wrong += p->start < behind || (!writes && p->start != behind) || p->start >= p->end || p->end > end;
	behind = p->end;
	n_pieces++;
	compare(p);
	if (!writes)
		iota_readers_add(&readers, p, now);
}

static void read_some(struct iota_piece_node **root, uint64_t from, uint64_t to)
{
	behind = from;
	end = to;
	iota_pieces_read(&readers, root, from, to, see, NULL);
	wrong += behind != to;
	for (uint64_t b = from; b < to; b++)
		byte[b].reader[byte[b].n++] = now;
}

static void write_some(struct iota_piece_node **root, uint64_t from, uint64_t to)
{
	behind = from;
	end = to;
	iota_pieces_write(&readers, root, from, to, now, see, &now);
	for (uint64_t b = from; b < to; b++)
		byte[b] = (struct history){.writer = now};
}

static bool may_be_read(uint64_t from, uint64_t to)
{
	while (from < to && byte[from].n < READERS)
		from++;
	return from == to;
}

/* Each byte is in one piece, if it was ever used. */
static void check_all(struct iota_piece_node **root)
{
	now++;
	for (uint64_t b = 0; b < BYTES; b++)
		if (byte[b].n == READERS)
			write_some(root, b, b + 1);
	n_pieces = 0;
	read_some(root, 0, BYTES);
}

static void forget(struct iota_piece_node **root)
{
	iota_pieces_free(*root);
	*root = NULL;
	for (uint64_t b = 0; b < BYTES; b++)
		byte[b] = (struct history){.writer = IOTA_NO_RUN};
}

/* Ranges of at most that length; of 16, so many are writes. */
static void at_random(struct iota_piece_node **root, unsigned times, uint64_t length, unsigned writes)
{
	while (times--) {
		uint64_t from = (uint64_t)rand() % BYTES, to = from + 1 + (uint64_t)rand() % length;

		now++;
		to = to > BYTES ? BYTES : to;
		if ((unsigned)rand() % 16 < writes || !may_be_read(from, to))
			write_some(root, from, to);
		else
			read_some(root, from, to);
	}
}

static void report(int number, const char *what, uint64_t least)
{
	printf("%sok %d - %s\n", wrong || n_pieces < least ? "not " : "", number, what);
	if (wrong || n_pieces < least)
		printf("# %llu wrong, %llu pieces\n", (unsigned long long)wrong, (unsigned long long)n_pieces);
	wrong = 0;
}

int main(void)
{
	struct iota_piece_node *root = NULL;

	srand(1);
	forget(&root);
	at_random(&root, 30000, 3, 8);
	check_all(&root);
	report(1, "small ranges here and there", 5000);
	at_random(&root, 2000, 4000, 8);
	check_all(&root);
	report(2, "ranges that many pieces become one in", 100);
	at_random(&root, 30000, 2, 12);
	check_all(&root);
	report(3, "small ones again", 5000);
	now++;
	write_some(&root, 0, BYTES);
	check_all(&root);
	report(4, "all of it is one piece", 1);
	wrong += n_pieces != 1;
	report(5, "and no more", 1);

	forget(&root);
	for (uint64_t b = 0; b < BYTES; b += 2, now++)
		write_some(&root, b, b + 1);
	for (uint64_t b = BYTES; b > 1; b -= 2, now++)
		write_some(&root, b - 1, b);
	check_all(&root);
	report(6, "from front to back, and from back to front", BYTES);
	forget(&root);
	for (uint64_t b = 0; b + 100 < BYTES; b += 3, now++)
		write_some(&root, b, b + 100);
	check_all(&root);
	report(7, "each over the end of the one before", BYTES / 3 - 100);
	iota_pieces_free(root);
	free(readers.cell);
	puts("1..7");
	return 0;
}
