/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * areas.c - which file lies where in the memory of the processes whose faults are recorded: as
 * /proc has it to begin with, and as the kernel's events change it.
 *
 * What is unmapped stays known until something else is there: nobody faults where nothing is.
 */
#include "faults.h"

#include "arena.h"
#include "logfd.h"
#include "maps.h"
#include "sys.h"
#include "text.h"

#include <string.h>
#include <sys/mman.h>

#define FEW_AREAS 1024u
#define NAMES	  (64u << 10)		/* bytes of names that are mapped at once */
#define LONGEST	  4096u

/* By process, then by address. */
static struct iot_area *areas;
static uint32_t n_areas, room;

static struct iot_fault_file **files;
static uint32_t n_files, files_room;

/* More room for an array; false: there is no memory. */
static bool grow(void *array, uint32_t n, uint32_t *cap, size_t size)
{
	void **p = array, *larger;

	if (n < *cap)
		return true;
	larger = iot_map((*cap ? *cap * 2 : FEW_AREAS) * size);
	if (!larger)
		return false;
	if (*p) {
		memcpy(larger, *p, n * size);
		iot_unmap(*p, *cap * size);
	}
	*cap = *cap ? *cap * 2 : FEW_AREAS;
	*p = larger;
	return true;
}

/* --- files -------------------------------------------------------------------- */

static struct iot_fault_file *new_file(const char *name, uint32_t len)
{
	static char *at;
	static uint32_t left;
	const uint32_t size = (uint32_t)sizeof(struct iot_fault_file) + ((len + 8) & ~7u);
	struct iot_fault_file *file;

	if (left < size) {
		at = iot_map(NAMES);
		left = at ? NAMES : 0;
	}
	if (left < size || !grow(&files, n_files, &files_room, sizeof(*files)))
		return NULL;
	file = (struct iot_fault_file *)(void *)at;
	at += size;
	left -= size;
	memcpy(file + 1, name, len);
	((char *)(file + 1))[len] = 0;
	*file = (struct iot_fault_file){ .name = (const char *)(file + 1) };
	files[n_files++] = file;
	return file;
}

/* What never had a name (memfd_create(2), O_TMPFILE) has that of /proc/PID/fd, which ends so, too. */
static bool never_named(const char *name, uint32_t len)
{
	const char *last = name + len;

	while (last[-1] != '/')
		last--;
	return (last == name + 1 && !strncmp(last, "memfd:", 6)) || (last[0] == '#' && last[1] >= '0' && last[1] <= '9');
}

/* NULL: memory of no file, or of one that is not worth a word. */
static struct iot_fault_file *file_named(const char *name)
{
	static const char deleted[] = " (deleted)";
	uint32_t len = (uint32_t)strnlen(name, LONGEST);

	/* memory without a file that processes share has that name */
	if (*name != '/' || name[1] == '/' || !strcmp(name, "/dev/zero (deleted)"))
		return NULL;
	if (len > sizeof(deleted) && !memcmp(name + len - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1) &&
	    !never_named(name, len))
		len -= (uint32_t)sizeof(deleted) - 1;
	for (uint32_t i = 0; i < n_files; i++)
		if (!strncmp(files[i]->name, name, len) && !files[i]->name[len])
			return files[i];
	return new_file(name, len);
}

struct iot_fault_file *iot_fault_file(uint32_t n)
{
	return n < n_files ? files[n] : NULL;
}

/* The recorder's own: the windows that it stores into. */
static bool is_log(const char *name, uint64_t ino)
{
	static uint64_t log_ino;
	const size_t len = strnlen(name, LONGEST);
	struct stat st;

	if (len < 8 || memcmp(name + len - 8, ".iotrace", 8))
		return false;
	if (!log_ino && iot_sys_fstat(iot_log_fd(), &st) == 0)
		log_ino = st.st_ino;
	return ino == log_ino;
}

/* --- areas -------------------------------------------------------------------- */

/* The first that ends behind that address; those of later processes come behind it. */
static uint32_t find(uint32_t pid, uint64_t at)
{
	uint32_t low = 0, high = n_areas;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct iot_area *a = &areas[middle];

		if (a->pid < pid || (a->pid == pid && a->end <= at))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(uint32_t n, const struct iot_area *new)
{
	if (!grow(&areas, n_areas, &room, sizeof(*areas)))
		return;
	memmove(&areas[n + 1], &areas[n], (n_areas - n) * sizeof(*areas));
	areas[n] = *new;
	n_areas++;
}

static void take_out(uint32_t n, uint32_t to)
{
	memmove(&areas[n], &areas[to], (n_areas - to) * sizeof(*areas));
	n_areas -= to - n;
}

/* In place of what was there, of which the ends may stay. */
static void put(const struct iot_area *new)
{
	uint32_t n = find(new->pid, new->start), to;

	if (n < n_areas && areas[n].pid == new->pid && areas[n].start < new->start) {
		struct iot_area behind = areas[n];

		areas[n].end = new->start;
		n++;
		if (behind.end > new->end) {
			behind.offset += new->end - behind.start;
			behind.start = new->end;
			insert(n, &behind);
		}
	}
	for (to = n; to < n_areas && areas[to].pid == new->pid && areas[to].end <= new->end; to++)
		;
	if (to < n_areas && areas[to].pid == new->pid && areas[to].start < new->end) {
		areas[to].offset += new->end - areas[to].start;
		areas[to].start = new->end;
	}
	take_out(n, to);
	insert(n, new);
}

static struct iot_fault_file *add(uint32_t pid, uint64_t start, uint64_t end, uint64_t offset, uint32_t prot, const char *name, uint64_t ino)
{
	const struct iot_area new = { start, end, offset, pid, prot, is_log(name, ino) ? NULL : file_named(name) };

	if (start >= end)
		return NULL;
	put(&new);
	return new.file;
}

struct iot_fault_file *iot_areas_add(const struct iot_fault_event *e)
{
	return add(e->pid, e->at, e->at + e->size, e->offset, e->prot, e->name, e->ino);
}

void iot_areas_move(uint32_t pid, uint64_t from, uint64_t to, uint64_t size)
{
	const struct iot_area *a = iot_area_at(pid, from);
	struct iot_area new;

	if (!a)
		return;
	new = *a;
	new.offset += from - a->start;
	new.start = to;
	new.end = to + size;
	put(&new);
}

void iot_areas_drop(uint32_t pid)
{
	take_out(find(pid, 0), find(pid, ~0ULL));
}

void iot_areas_fork(uint32_t parent, uint32_t child)
{
	const uint32_t n = find(parent, ~0ULL) - find(parent, 0);

	iot_areas_drop(child);
	for (uint32_t i = 0; i < n; i++) {
		struct iot_area copy = areas[find(parent, 0) + i];

		copy.pid = child;
		insert(find(child, copy.start), &copy);
	}
}

const struct iot_area *iot_area_behind(uint32_t pid, uint64_t address)
{
	uint32_t n = find(pid, address);

	return n < n_areas && areas[n].pid == pid ? &areas[n] : NULL;
}

const struct iot_area *iot_area_at(uint32_t pid, uint64_t address)
{
	const struct iot_area *a = iot_area_behind(pid, address);

	return a && a->start <= address ? a : NULL;
}

/* --- /proc -------------------------------------------------------------------- */

struct reading {
	uint32_t pid;
	bool begun;
};

/* 5628e5a00000-5628e5a21000 rw-p 00002000 fe:01 1234        /a/file */
static void add_line(char *line, char *nl, void *arg)
{
	struct reading *r = arg;
	const char *s = line;
	uint64_t start = iot_number(&s, 16), end, offset, ino;
	uint32_t prot;

	/* of one that has ended there is nothing to read, and all to tell */
	if (!r->begun)
		iot_areas_drop(r->pid);
	r->begun = true;
	*nl = 0;
	s++;
	end = iot_number(&s, 16);
	prot = (s[1] == 'r' ? PROT_READ : 0) | (s[2] == 'w' ? PROT_WRITE : 0) | (s[3] == 'x' ? PROT_EXEC : 0);
	s += 6;
	offset = iot_number(&s, 16);
	s++;
	s += strcspn(s, " ");
	s++;
	ino = iot_number(&s, 10);
	s += strspn(s, " ");
	add(r->pid, start, end, offset, prot, s, ino);
}

void iot_areas_read(uint32_t pid)
{
	struct reading r = { .pid = pid };
	char *buf = iot_map(IOT_TEXT_CAP);

	if (!buf)
		return;
	iot_maps_of(pid, buf, IOT_TEXT_CAP, add_line, &r);
	iot_unmap(buf, IOT_TEXT_CAP);
}

void iot_areas_again(void)
{
	for (uint32_t i = 0; i < n_areas; i++) {
		const uint32_t pid = areas[i].pid;

		iot_areas_read(pid);
		i = find(pid, ~0ULL) - 1;
	}
}
