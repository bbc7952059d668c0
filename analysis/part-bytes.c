/* SPDX-License-Identifier: BSD-3-Clause */
/* part-bytes.c - what parts consist of, as bytes: words, text, lines of the program. */
#include "config.h"

#include "parts.h"

/* ---- out ---- */

void iota_put_word(struct iota_bytes *o, uint64_t v)
{
	iota_bytes_add(o, &v, sizeof(v));
}

void iota_put_text(struct iota_bytes *o, const void *s, size_t n)
{
	iota_put_word(o, s ? n : UINT64_MAX);
	if (s)
		iota_bytes_add(o, s, n);
}

void iota_put_string(struct iota_bytes *o, const char *s)
{
	iota_put_text(o, s, s ? strlen(s) : 0);
}

void iota_put_chain(struct iota_bytes *o, const struct iota_chain *chain)
{
	unsigned i;

	iota_put_word(o, chain ? chain->n : 0);
	if (!chain)
		return;
	iota_put_word(o, chain->way);
	for (i = 0; i < chain->n; i++) {
		iota_put_string(o, chain->at[i]->func);
		iota_put_string(o, chain->at[i]->file);
		iota_put_string(o, chain->at[i]->module);
		iota_put_word(o, (uint64_t)chain->at[i]->line);
		iota_put_word(o, chain->at[i]->offset);
		iota_put_word(o, chain->at[i]->turns);
	}
}

/* ---- and in ---- */

const void *iota_take_bytes(struct iota_in *in, size_t n)
{
	const char *p = in->p;

	if (in->bad || n > in->left) {
		in->bad = true;
		return NULL;
	}
	in->p += n;
	in->left -= n;
	return p;
}

uint64_t iota_take_word(struct iota_in *in)
{
	const void *p = iota_take_bytes(in, sizeof(uint64_t));
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

char *iota_take_text(struct iota_in *in, size_t *len)
{
	uint64_t n = iota_take_word(in);
	const void *p = n == UINT64_MAX ? NULL : iota_take_bytes(in, n);
	char *copy;

	*len = 0;
	if (!p)
		return NULL;
	copy = iota_alloc(&in->a->memory, n + 1);
	memcpy(copy, p, n);
	*len = n;
	return copy;
}

struct iota_chain *iota_take_chain(struct iota_in *in)
{
	uint64_t n = iota_take_word(in), i;
	struct iota_chain *chain;
	size_t len;

	if (!n || in->bad)
		return NULL;
	if (n > in->left) {
		in->bad = true;
		return NULL;
	}
	chain = iota_chain_new(in->a, (unsigned)n);
	chain->way = (unsigned)iota_take_word(in);
	for (i = 0; i < n; i++) {
		struct iota_place place = {.func = iota_take_text(in, &len)};

		place.file = iota_take_text(in, &len);
		place.module = iota_take_text(in, &len);
		place.line = (int)iota_take_word(in);
		place.offset = iota_take_word(in);
		place.turns = (unsigned)iota_take_word(in);
		chain->at[i] = iota_place(in->a, &place);
		chain->at[i]->turns |= place.turns;
	}
	return chain;
}
