/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filesystem.c - what the log says of file systems, once for each device, and of how
 * files are striped, once for each, where there is a system call that tells.
 */
#include "filesystem.h"

#include "arena.h"
#include "sys.h"
#include "thread.h"
#include "window.h"

#include <string.h>
#include <sys/statfs.h>

#define LUSTRE 0x0bd00bd0u
#define BEEGFS 0x19830326u

#define DEVICES 64u
static struct device {
	uint64_t dev;			/* 0: free */
	uint64_t type;			/* 0: not known yet */
} devices[DEVICES];

void iot_devices_forget(void)
{
	memset(devices, 0, sizeof(devices));
}

static void define_device(struct iot_thread *t, uint64_t dev, const struct statfs *fs)
{
	uint64_t *p = iot_define(t, IOT_DEF_DEVICE, 3);

	*p++ = dev;
	*p++ = (uint32_t)fs->f_type;
	*p++ = (uint64_t)fs->f_bsize;
	iot_define_done(t, p);
}

/* The type of the file system, 0 if it is not known; in the log from now on. */
static uint64_t type_of(struct iot_thread *t, uint64_t dev, const char *abs, int fd)
{
	for (uint32_t i = 0; dev && i < DEVICES; i++) {
		struct device *d = &devices[i];
		uint64_t found = __atomic_load_n(&d->dev, __ATOMIC_ACQUIRE);
		struct statfs fs;

		if (!found && __atomic_compare_exchange_n(&d->dev, &found, dev, false, __ATOMIC_ACQ_REL,
							  __ATOMIC_ACQUIRE)) {
			if (fd >= 0 ? iot_syscall(SYS_fstatfs, (long)fd, &fs) : iot_syscall(SYS_statfs, abs, &fs))
				return 0;
			define_device(t, dev, &fs);
			__atomic_store_n(&d->type, (uint32_t)fs.f_type, __ATOMIC_RELEASE);
		}
		if (found == dev || !found)
			return __atomic_load_n(&d->type, __ATOMIC_ACQUIRE);
	}
	return 0;
}

struct layout {
	uint64_t size, count;		/* of stripes */
	uint64_t first;			/* target; ~0: not known */
	uint64_t from, to;		/* the part of the file */
};

static void define_layout(struct iot_thread *t, uint32_t path, const struct layout *l)
{
	uint64_t *p = iot_define(t, IOT_DEF_LAYOUT, 6);

	*p++ = path;
	*p++ = l->size;
	*p++ = l->count;
	*p++ = l->first;
	*p++ = l->from;
	*p++ = l->to;
	iot_define_done(t, p);
}

/* ---- Lustre: the extended attribute lustre.lov, in the processor's byte order ---- */

#define LOV_V1	 0x0bd10bd0u
#define LOV_V3	 0x0bd30bd0u
#define LOV_COMP 0x0bd60bd0u
#define MAX_COMPONENTS 16u

struct lov {				/* of one component */
	uint32_t magic, pattern;
	uint64_t object[2];
	uint32_t stripe_size;
	uint16_t stripe_count, generation;
};

struct lov_object {			/* behind it, and behind a name of 16 bytes in V3 */
	uint64_t object[2];
	uint32_t generation, target;
};

struct lov_head {			/* of several components; entries of 48 bytes follow */
	uint32_t magic, size, generation;
	uint16_t flags, count;
	uint64_t spare[2];
};

struct lov_entry {
	uint32_t id, flags;
	uint64_t from, to;
	uint32_t offset, size;
	uint32_t spare[4];
};

static void lov(struct iot_thread *t, uint32_t path, const char *p, size_t n, uint64_t from, uint64_t to)
{
	struct layout l = { .first = ~0ULL, .from = from, .to = to };
	struct lov_object object;
	struct lov head;
	size_t at;

	if (n < sizeof(head))
		return;
	memcpy(&head, p, sizeof(head));
	if (head.magic != LOV_V1 && head.magic != LOV_V3)
		return;
	l.size = head.stripe_size;
	l.count = head.stripe_count;
	at = sizeof(head) + (head.magic == LOV_V3 ? 16 : 0);
	if (n - sizeof(head) >= at - sizeof(head) + sizeof(object)) {
		memcpy(&object, p + at, sizeof(object));
		l.first = object.target;
	}
	define_layout(t, path, &l);
}

static void lustre(struct iot_thread *t, uint32_t path, int fd)
{
	const size_t cap = 65536;
	struct lov_head head;
	struct lov_entry e;
	char *p = iot_map(cap);
	long n = p ? iot_syscall(SYS_fgetxattr, (long)fd, "lustre.lov", p, cap) : -1;

	if (n >= (long)sizeof(head) && n <= (long)cap) {
		memcpy(&head, p, sizeof(head));
		if (head.magic != LOV_COMP)
			lov(t, path, p, (size_t)n, 0, ~0ULL);
		for (uint32_t i = 0; head.magic == LOV_COMP && i < head.count && i < MAX_COMPONENTS; i++) {
			if (sizeof(head) + (i + 1) * sizeof(e) > (size_t)n)
				break;
			memcpy(&e, p + sizeof(head) + i * sizeof(e), sizeof(e));
			if (e.offset < (size_t)n)
				lov(t, path, p + e.offset, (size_t)n - e.offset, e.from, e.to);
		}
	}
	if (p)
		iot_unmap(p, cap);
}

/* ---- BeeGFS ---- */

struct beegfs_stripes {
	uint32_t pattern, chunk;
	uint16_t targets;
};
/* _IOR('f', 25, struct beegfs_stripes) */
#define BEEGFS_GET_STRIPES 0x800c6619UL

static void beegfs(struct iot_thread *t, uint32_t path, int fd)
{
	struct beegfs_stripes s = { 0 };
	struct layout l = { .first = ~0ULL, .to = ~0ULL };

	_Static_assert(sizeof(s) == 12, "as BeeGFS has it");
	if (iot_syscall(SYS_ioctl, (long)fd, BEEGFS_GET_STRIPES, &s))
		return;
	l.size = s.chunk;
	l.count = s.targets;
	define_layout(t, path, &l);
}

/* The log is told of the file system that a file is on, and if it is open of its stripes. */
void iot_filesystem_of(struct iot_thread *t, uint32_t path, const struct stat *st, const char *abs, int fd)
{
	uint64_t type;

	if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
		return;
	type = type_of(t, st->st_dev, abs, fd);
	if (fd < 0 || !S_ISREG(st->st_mode))
		return;
	if (type == LUSTRE)
		lustre(t, path, fd);
	else if (type == BEEGFS)
		beegfs(t, path, fd);
}
