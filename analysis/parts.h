/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - how parts of an analysis become bytes, and are read from these. */
#ifndef IOTA_PARTS_H
#define IOTA_PARTS_H

#include "spots.h"

/* ---- part-bytes.c ---- */
void iota_put_word(struct iota_bytes *o, uint64_t v);
/* NULL is not the same as nothing. */
void iota_put_text(struct iota_bytes *o, const void *s, size_t n);
void iota_put_string(struct iota_bytes *o, const char *s);
void iota_put_chain(struct iota_bytes *o, const struct iota_chain *chain);

struct iota_in {
	struct iota *a;
	const char *p;
	size_t left;
	bool bad;
	uint32_t *process; /* what numbers of processes have become; of n_processes */
	size_t n_processes;
	size_t first_origin; /* of this part, in the analysis */
};

/* NULL if there are fewer, and then in->bad. */
const void *iota_take_bytes(struct iota_in *in, size_t n);
uint64_t iota_take_word(struct iota_in *in);
/* A copy that stays, '\0' behind it; NULL if there is none. */
char *iota_take_text(struct iota_in *in, size_t *len);
struct iota_chain *iota_take_chain(struct iota_in *in);

/* ---- sizes.c ---- */
void iota_sizes_put(struct iota_bytes *o, const struct iota_sizes *s);
void iota_sizes_take(struct iota_in *in, struct iota_sizes **to);

#endif
