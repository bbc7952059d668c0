/* SPDX-License-Identifier: BSD-3-Clause */
/* spent.c - what the time of a call was spent on: I/O or something else. */
#include "config.h"

#include <sys/stat.h>

#include "internal.h"

enum iota_field iota_spends(enum iota_does does, const char *family)
{
	/* what calls of a family spend their time on that do nothing of the below */
	static const struct {
		const char *family;
		enum iota_field spent;
	} others[] = {
		{"mem", IOTA_F_MEMORY},	  {"mpi", IOTA_F_WAITING}, {"net", IOTA_F_WAITING},
		{"stdio", IOTA_F_MOVING}, {"proc", IOTA_F_SELF},   {"user", IOTA_F_SELF},
	};
	size_t i;

	switch (does) {
	case IOTA_DOES_READ:
	case IOTA_DOES_WRITE:
	case IOTA_DOES_COPY:
	case IOTA_DOES_ISSUED:
		return IOTA_F_MOVING;
	case IOTA_DOES_SYNC:
		return IOTA_F_SYNCING;
	case IOTA_DOES_WAIT:
		return IOTA_F_WAITING;
	case IOTA_DOES_START:
		return IOTA_F_SELF;
	case IOTA_DOES_OPEN:
	case IOTA_DOES_CLOSE:
	case IOTA_DOES_REMOVE:
	case IOTA_DOES_SEEK:
		return IOTA_F_METADATA;
	default:
		break;
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i].family, family))
			return others[i].spent;
	return IOTA_F_METADATA;
}

/* Bytes of pipes and sockets come when others send them. */
static bool others_decide(const struct iotr_handle *h)
{
	return h && (S_ISFIFO(h->mode) || S_ISSOCK(h->mode));
}

enum iota_field iota_spent(const struct iota_sample *s)
{
	const struct iotr_handle *h = s->call->handle;
	enum iota_field spent = s->kind->spent;

	if (s->call->mpi_own)
		return IOTA_F_SELF;
	if (s->waits || (spent == IOTA_F_MOVING && others_decide(h)))
		return IOTA_F_WAITING;
	return spent == IOTA_F_MEMORY && h && h->path ? IOTA_F_METADATA : spent;
}
