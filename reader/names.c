/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - names of numbers. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "schema.h"

#define ANY (~0ULL)

static const struct symbol {
	const char *name;
	uint64_t mask, value;
	enum iotr_kind kind;
} symbols[] = {
/* each by itself: through another macro, names that are macros would be expanded */
#define IOT_SYM(kind, name, mask, value) {#name, mask, (uint64_t)(value), IOTR_KIND_##kind},
#define IOT_BIT(kind, name, value) {#name, value, (uint64_t)(value), IOTR_KIND_##kind},
#define IOT_NUM(kind, name, value) {#name, ANY, (uint64_t)(value), IOTR_KIND_##kind},
#include "../table/kinds.def"
};

#define N_SYMBOLS (sizeof(symbols) / sizeof(symbols[0]))

/* Rows of one kind stand together: where they begin.  Filled at the first use,
   always with the same values, so that it does not matter who does it. */
static uint16_t first_row[IOTR_N_KINDS];

static const struct symbol *rows(enum iotr_kind kind)
{
	if (!first_row[IOTR_KIND_DIRFD]) {
		size_t i;

		for (i = N_SYMBOLS; i-- > 0;)
			__atomic_store_n(&first_row[symbols[i].kind], (uint16_t)(i + 1),
					 __ATOMIC_RELAXED);
	}
	return first_row[kind] ? &symbols[first_row[kind] - 1] : NULL;
}

struct text {
	char *buf;
	size_t size, len;
};

static void add(struct text *t, const char *s)
{
	size_t n = strlen(s);

	if (t->len && t->len + 1 < t->size)
		t->buf[t->len++] = '|';
	if (n > t->size - 1 - t->len)
		n = t->size - 1 - t->len;
	memcpy(t->buf + t->len, s, n);
	t->len += n;
	t->buf[t->len] = '\0';
}

size_t iotr_symbolic(enum iotr_kind kind, uint64_t value, char *buf, size_t size)
{
	const struct symbol *s = rows(kind), *end = symbols + N_SYMBOLS;
	struct text t = {buf, size, 0};
	uint64_t rest = value;
	char number[32];

	if (!s || !size)
		return 0;
	/* int arguments come sign-extended or not: take both for the same */
	if (value >> 32 == 0xffffffff || value >> 32 == 0)
		rest = value = (uint32_t)value;
	for (; s < end && s->kind == kind; s++) {
		uint64_t mask = s->mask == ANY ? ANY : s->mask;
		uint64_t want = mask == ANY && value <= UINT32_MAX ? (uint32_t)s->value : s->value;

		if (mask == ANY) {
			if (value != want)
				continue;
			add(&t, s->name);
			return t.len;
		}
		if ((rest & mask) != want || (want && !(rest & want)))
			continue;
		/* a field of value 0 is named once, and only while nothing took it */
		if (!want && (value & mask))
			continue;
		add(&t, s->name);
		rest &= ~mask;
	}
	if (kind == IOTR_KIND_DIRFD)
		return 0;
	if (rest || !t.len) {
		snprintf(number, sizeof(number), rest ? "0x%llx" : "%llu",
			 (unsigned long long)rest);
		add(&t, number);
	}
	return t.len;
}

/* Classes of errors of MPI, as the recorder counts them. */
static const struct {
	const char *name, *text;
} mpi_errors[] = {
#define MPI_ERROR(name, io, text) { "MPI_ERR_" #name, text },
#include "../table/mpi-errors.def"
};

/* strerrorname_np is one of glibc's alone, since 2.32. */
static const char *const errnos[] = {
#include "reader/errnos.h"
};

const char *iotr_errno_name(int err)
{
	size_t n = (size_t)err - IOT_ERR_MPI;

	if (err >= (int)IOT_ERR_MPI)
		return n < sizeof(mpi_errors) / sizeof(*mpi_errors) ? mpi_errors[n].name : NULL;
	return err > 0 && err < (int)(sizeof(errnos) / sizeof(*errnos)) ? errnos[err] : NULL;
}

const char *iotr_errno_text(int err)
{
	if (err <= 0 || !iotr_errno_name(err))
		return NULL;
	return err < (int)IOT_ERR_MPI ? strerror(err) : mpi_errors[err - (int)IOT_ERR_MPI].text;
}
