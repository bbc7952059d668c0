/* SPDX-License-Identifier: BSD-3-Clause */
/* maps.c - which code lay where: the executable mappings and their build ids. */
#include "maps.h"

#include "arena.h"
#include "auxv.h"
#include "bytes.h"
#include "fetch.h"
#include "lend.h"
#include "log-header.h"
#include "mpi-own.h"
#include "sys.h"
#include "text.h"
#include "thread.h"
#include "window.h"

#include <elf.h>
#include <string.h>

/* The build id among notes.  Returns its length, 0 if there is none. */
static uint32_t build_id_of(const uint8_t *note, uint64_t size, uint8_t *id, uint32_t cap)
{
	for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
		const Elf64_Nhdr *nh = (const Elf64_Nhdr *)(note + at);
		uint64_t desc = at + sizeof(*nh) + ((nh->n_namesz + 3u) & ~3u);

		at = desc + ((nh->n_descsz + 3u) & ~3u);
		if (at > size || nh->n_type != NT_GNU_BUILD_ID || nh->n_descsz > cap)
			continue;
		memcpy(id, note + desc, nh->n_descsz);
		return nh->n_descsz;
	}
	return 0;
}

/* That of the ELF file whose first n bytes lie at `head'.  It is read from memory: if the file were opened,
   closing it would take the program's locks of it away (fcntl(2)). */
static uint32_t build_id(uintptr_t head, uint64_t n, uint8_t *id, uint32_t cap, uint8_t *buf, uint32_t size)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)buf;
	uint8_t *note = buf + IOT_PAGE;
	uint32_t len = 0;

	if (n < IOT_PAGE || !iot_fetch(buf, (const void *)head, IOT_PAGE) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_phoff > IOT_PAGE)
		return 0;
	for (uint32_t i = 0; i < eh->e_phnum && !len; i++) {
		const Elf64_Phdr *ph = (const Elf64_Phdr *)(buf + eh->e_phoff) + i;

		if ((uint8_t *)(ph + 1) > note)
			break;
		if (ph->p_type == PT_NOTE && ph->p_offset < n && ph->p_filesz <= n - ph->p_offset &&
		    ph->p_filesz <= size - IOT_PAGE && iot_fetch(note, (const void *)(head + ph->p_offset), ph->p_filesz))
			len = build_id_of(note, ph->p_filesz, id, cap);
	}
	return len;
}

/* Where which part of a file lies. */
struct place {
	uint64_t from, to, off, device, inode;
};

struct map {
	struct place at;
	uint64_t since;
	const char *name;
	uint32_t name_len, id_len;
	uint8_t id[64];
};

static void define(struct iot_thread *t, const struct map *m)
{
	uint64_t *p = iot_define(t, IOT_DEF_MAP, 6 + (m->id_len + 7) / 8 + (m->name_len + 7) / 8);

	*p++ = m->at.from;
	*p++ = m->at.to;
	*p++ = m->at.off;
	p = iot_put_bytes(p, m->id, m->id_len);
	p = iot_put_bytes(p, m->name, m->name_len);
	*p++ = m->since;
	iot_define_done(t, p);
}

/* Mappings that are defined and in whose place none has come, one thread's at a time:
   another that comes meanwhile, or a handler, defines all of them once more. */
#define MAX_SEEN 1024u
#define SEEN_ID	 20u			/* bytes of a build id */
static struct seen {
	struct place at;
	uint64_t name;			/* hash of it: of one file's two names */
	uint8_t id[SEEN_ID];
} seen[MAX_SEEN];
static uint32_t n_seen;
/* Something has been unmapped since: a file may have become another one, or have been
   written anew, and lie where it lay before. */
static bool closed;

void iot_maps_forget(void)
{
	n_seen = 0;
	iot_each.maps_taken = false;
}

void iot_maps_closed(void)
{
	__atomic_store_n(&closed, true, __ATOMIC_RELAXED);
}

/* In a forked child: another thread may have been at it. */
IOT_EACH void iot_maps_forked(void)
{
	if (iot_each.maps_taken)
		iot_maps_forget();
}

static bool is_same(const struct seen *a, const struct seen *b)
{
	return !memcmp(&a->at, &b->at, sizeof(a->at)) && a->name == b->name;
}

static struct seen *find(const struct seen *m)
{
	for (uint32_t i = 0; i < n_seen; i++)
		if (is_same(&seen[i], m))
			return &seen[i];
	return NULL;
}

/* In the place of those that lay there. */
static void see(const struct seen *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < n_seen; i++)
		if (seen[i].at.to <= m->at.from || seen[i].at.from >= m->at.to)
			seen[n++] = seen[i];
	if (n < MAX_SEEN)
		seen[n++] = *m;
	n_seen = n;
}

/* For iot_maps_define. */
struct definer {
	struct iot_thread *t;
	uint64_t since;
	bool all;
	bool closed;			/* what is as it was may have another build id */
	char *buf;			/* of IOT_TEXT_CAP: half for lines, half for the beginning of a file */
	struct place head;		/* the last beginning of a file */
	struct iot_own_code *own;
};

/* A line of /proc/thread-self/maps. */
static void define_line(char *line, char *end, void *arg)
{
	struct definer *d = arg;
	const char *s = line;
	struct map m = { .since = d->since };
	char *name = d->t->scratch[0];
	const struct seen *was;
	struct seen k;
	bool exec;

	m.at.from = iot_number(&s, 16);
	s++;
	m.at.to = iot_number(&s, 16);
	exec = s[3] == 'x';
	s += 6;
	m.at.off = iot_number(&s, 16);
	s++;
	m.at.device = iot_number(&s, 16) << 32;
	s++;
	m.at.device |= iot_number(&s, 16);
	s++;
	m.at.inode = iot_number(&s, 10);
	if (!m.at.off)
		d->head = m.at;
	while (s < end && *s != '/')
		s++;
	if (!exec || s >= end || end - s > 4095)
		return;
	m.name = name;
	m.name_len = (uint32_t)(end - s);
	memcpy(name, s, m.name_len);
	name[m.name_len] = 0;
#ifdef IOT_DYNAMIC
	if (d->own)
		iot_own_add(d->own, m.at.from, m.at.to, m.name);
#endif
	k = (struct seen){ .at = m.at, .name = iot_hash(m.name, m.name_len) };
	was = d->all ? NULL : find(&k);
	if (was && !d->closed)
		return;
	if (d->head.device == m.at.device && d->head.inode == m.at.inode)
		m.id_len = build_id(d->head.from, d->head.to - d->head.from, m.id, sizeof(m.id),
				    (uint8_t *)d->buf + IOT_TEXT_CAP / 2, IOT_TEXT_CAP / 2);
	memcpy(k.id, m.id, m.id_len < SEEN_ID ? m.id_len : SEEN_ID);
	if (was && !memcmp(was->id, k.id, SEEN_ID))
		return;
	if (!d->all)
		see(&k);
	define(d->t, &m);
}

/* Calls each(line, its end, arg) for all lines of a file of /proc, which buf has room for. */
void iot_maps_lines(const char *path, char *buf, uint32_t size, void (*each)(char *, char *, void *), void *arg)
{
	int fd = iot_sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	uint32_t len = 0;
	long n;

	while (fd >= 0 && (n = iot_sys_read(fd, buf + len, size - len)) > 0) {
		char *s = buf, *nl;

		len += (uint32_t)n;
		for (; (nl = memchr(s, '\n', len - (size_t)(s - buf))); s = nl + 1)
			each(s, nl, arg);
		len -= (uint32_t)(s - buf);
		memmove(buf, s, len);
	}
	if (fd >= 0)
		iot_sys_close(fd);
}

void iot_maps_of(uint64_t pid, char *buf, uint32_t size, void (*each)(char *, char *, void *), void *arg)
{
	char path[IOT_PROC_PATH];

	iot_proc_path(path, pid, "/maps");
	iot_maps_lines(path, buf, size, each, arg);
}

static void define_all(void *arg)
{
	struct definer *d = arg;

	iot_maps_lines("/proc/thread-self/maps", d->buf, IOT_TEXT_CAP / 2, define_line, d);
}

/* Defines the executable mappings of files that have come since the last time, in
   busy t's window.  since: ticks, before which they were not there. */
void iot_maps_define(struct iot_thread *t, uint64_t since)
{
	struct definer d = { .t = t, .since = since, .buf = iot_map(IOT_TEXT_CAP) };

	d.all = __atomic_exchange_n(&iot_each.maps_taken, true, __ATOMIC_ACQUIRE);
	if (!d.all)
		d.closed = __atomic_exchange_n(&closed, false, __ATOMIC_RELAXED);
#ifdef IOT_DYNAMIC
	if (!d.all)
		d.own = iot_own_begin();
#endif
	if (d.buf) {
		iot_unseen(define_all, &d);
		iot_unmap(d.buf, IOT_TEXT_CAP);
	}
#ifdef IOT_DYNAMIC
	if (d.own)
		iot_own_end(d.own);
#endif
	if (!d.all)
		__atomic_store_n(&iot_each.maps_taken, false, __ATOMIC_RELEASE);
}

/* How far the executable is from where its headers say; they lie in the first segment, 64 bytes
   into the file. */
static uint64_t bias_of(const Elf64_Phdr *ph, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset == 0)
			return (uintptr_t)ph - sizeof(Elf64_Ehdr) - ph[i].p_vaddr;
	return 0;
}

/* What of the executable is never written. */
void iot_maps_constants(void)
{
	const Elf64_Phdr *ph = (const Elf64_Phdr *)iot_auxv(AT_PHDR);
	uint64_t n = ph ? iot_auxv(AT_PHNUM) : 0, bias = n ? bias_of(ph, n) : 0;

	for (uint64_t i = 0; i < n; i++)
		if (ph[i].p_type == PT_LOAD && !(ph[i].p_flags & PF_W))
			iot_fetch_constant(bias + ph[i].p_vaddr, bias + ph[i].p_vaddr + ph[i].p_memsz);
}

/* The same at the start of a static executable, whose headers say it all. */
void iot_maps_define_first(struct iot_thread *t)
{
	const Elf64_Phdr *ph = (const Elf64_Phdr *)iot_auxv(AT_PHDR);
	uint64_t n = iot_auxv(AT_PHNUM), bias;
	struct map m = { .name = iot_exe(), .name_len = (uint32_t)strlen(iot_exe()) };

	if (iot_auxv(AT_BASE) || !ph || !m.name_len) {
		iot_maps_define(t, 0);
		return;
	}
	bias = bias_of(ph, n);
	for (uint64_t i = 0; i < n && !m.id_len; i++)
		if (ph[i].p_type == PT_NOTE)
			m.id_len = build_id_of((const uint8_t *)(bias + ph[i].p_vaddr), ph[i].p_memsz, m.id,
					       sizeof(m.id));
	for (uint64_t i = 0; i < n; i++) {
		if (ph[i].p_type != PT_LOAD || !(ph[i].p_flags & PF_X))
			continue;
		m.at.from = (bias + ph[i].p_vaddr) & -IOT_PAGE;
		m.at.to = (bias + ph[i].p_vaddr + ph[i].p_memsz + IOT_PAGE - 1) & -IOT_PAGE;
		m.at.off = ph[i].p_offset & -IOT_PAGE;
		define(t, &m);
	}
}
