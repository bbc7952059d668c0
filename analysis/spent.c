/* SPDX-License-Identifier: BSD-3-Clause */
/* spent.c - what the time of a call was spent on: I/O or something else. */
#include "config.h"

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
	case IOTA_DOES_ENTER:
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

static bool begins_with(const struct iotr_path *path, const char *name)
{
	size_t n = strlen(name);

	return path->len >= n && !memcmp(path->name, name, n);
}

/* What is read there comes when somebody types it, or when something happens. */
static bool is_awaited(const struct iotr_path *path)
{
	static const char *const names[] = {
		"/dev/pts/", "/dev/tty", "/dev/ptmx", "/dev/console", "/dev/input/",
		"anon_inode:[timerfd]", "anon_inode:[eventfd]", "anon_inode:[signalfd]",
		"anon_inode:inotify", "anon_inode:[inotify]", "anon_inode:[fanotify]",
		"anon_inode:[userfaultfd]",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (begins_with(path, names[i]))
			return true;
	return false;
}

/* Bytes of pipes and sockets come when others send them, and go when others receive them. */
static bool others_decide(const struct iota_sample *s)
{
	const struct iotr_handle *h = s->call->handle;

	if (!h)
		return false;
	return S_ISFIFO(h->mode) || S_ISSOCK(h->mode) ||
	       (!S_ISREG(h->mode) && h->path && s->kind->does == IOTA_DOES_READ && is_awaited(h->path));
}

enum iota_field iota_spent_by_file(const struct iota_sample *s)
{
	const struct iotr_handle *h = s->call->handle;
	enum iota_field spent = s->kind->spent;

	if (s->call->mpi_own)
		return IOTA_F_SELF;
	if (s->waits || s->meets || (spent == IOTA_F_MOVING && others_decide(s)))
		return IOTA_F_WAITING;
	return spent == IOTA_F_MEMORY && h && h->path ? IOTA_F_METADATA : spent;
}
