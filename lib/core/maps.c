/* SPDX-License-Identifier: BSD-3-Clause */
/* maps.c - which code lay where: the executable mappings and their build ids. */
#include <elf.h>
#include <string.h>

#include "iot.h"
#include "sys.h"

static uint64_t hex(const char **s)
{
	uint64_t v = 0;

	for (;; (*s)++) {
		unsigned char c = (unsigned char)**s;

		if (c >= '0' && c <= '9')
			v = v << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint64_t)(c - 'a' + 10);
		else
			return v;
	}
}

/* The build id in an ELF file's notes.  Read from the file: the headers need not
   be mapped.  Returns its length, 0 if there is none. */
static uint32_t build_id(const char *path, uint8_t *id, uint32_t cap, uint8_t *buf, uint32_t size)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)buf;
	int fd = iot_sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	long n = fd < 0 ? 0 : iot_sys_read(fd, buf, size);
	uint32_t len = 0;

	if (fd >= 0)
		iot_sys_close(fd);
	if (n < (long)sizeof(*eh) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_phoff > (uint64_t)n)
		return 0;
	for (uint32_t i = 0; i < eh->e_phnum && !len; i++) {
		const Elf64_Phdr *ph = (const Elf64_Phdr *)(buf + eh->e_phoff) + i;

		if ((uint8_t *)(ph + 1) > buf + n)
			break;
		if (ph->p_type != PT_NOTE || ph->p_offset + ph->p_filesz > (uint64_t)n)
			continue;
		for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= ph->p_filesz;) {
			const Elf64_Nhdr *nh = (const Elf64_Nhdr *)(buf + ph->p_offset + at);
			uint64_t desc = at + sizeof(*nh) + ((nh->n_namesz + 3u) & ~3u);

			at = desc + ((nh->n_descsz + 3u) & ~3u);
			if (nh->n_type == NT_GNU_BUILD_ID && nh->n_descsz <= cap && at <= ph->p_filesz) {
				len = nh->n_descsz;
				memcpy(id, buf + ph->p_offset + desc, len);
				break;
			}
		}
	}
	return len;
}

static void define(struct iot_thread *t, const char *line, const char *end, uint8_t *buf, uint32_t size)
{
	const char *s = line;
	uint64_t from = hex(&s), to, off, *p;
	uint8_t id[64];
	uint32_t id_len, name_len;
	bool exec;

	s++;
	to = hex(&s);
	exec = s[3] == 'x';
	s += 6;
	off = hex(&s);
	while (s < end && *s != '/')
		s++;
	if (!exec || s >= end || end - s > 4095)
		return;
	name_len = (uint32_t)(end - s);
	memcpy(t->scratch[0], s, name_len);
	t->scratch[0][name_len] = 0;
	id_len = build_id(t->scratch[0], id, sizeof(id), buf, size);
	p = iot_define(t, IOT_DEF_MAP, 5 + (id_len + 7) / 8 + (name_len + 7) / 8);
	*p++ = from;
	*p++ = to;
	*p++ = off;
	p = iot_put_bytes(p, id, id_len);
	p = iot_put_bytes(p, s, name_len);
	iot_define_done(t, p);
}

/* Defines all executable mappings of files, in busy t's window. */
void iot_maps_define(struct iot_thread *t)
{
	const uint32_t cap = 64u << 10, half = cap / 2;
	char *buf = iot_map(cap);
	int fd = iot_sys_openat(AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	uint32_t len = 0;
	long n;

	while (buf && fd >= 0 && (n = iot_sys_read(fd, buf + len, half - len)) > 0) {
		char *s = buf, *nl;

		len += (uint32_t)n;
		for (; (nl = memchr(s, '\n', len - (size_t)(s - buf))); s = nl + 1)
			define(t, s, nl, (uint8_t *)buf + half, half);
		len -= (uint32_t)(s - buf);
		memmove(buf, s, len);
	}
	if (fd >= 0)
		iot_sys_close(fd);
	if (buf)
		iot_sys_munmap(buf, cap);
}
