/* SPDX-License-Identifier: BSD-3-Clause */
/* whole.c - whether a file of ours is whole, and which one it is.  What lists them when they are
   built has this too. */
#include "config.h"

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "whole.h"

struct text {
	const char *at;
	size_t size;
};

/* Copies, since a member lies at any even number of bytes. */
static bool get(const struct text *t, uint64_t at, void *to, size_t n)
{
	if (at > t->size || n > t->size - at)
		return false;
	memcpy(to, t->at + at, n);
	return true;
}

/* False if the object ends before its table of sections does. */
static bool add_object(const struct text *object, uint64_t *bytes)
{
	Elf64_Ehdr head;
	Elf64_Shdr s;

	if (!get(object, 0, &head, sizeof(head)) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return true; /* what an archive says of its members */
	for (size_t i = 0; i < head.e_shnum; i++) {
		if (!get(object, head.e_shoff + i * sizeof(s), &s, sizeof(s)))
			return false;
		if (s.sh_flags & SHF_ALLOC && s.sh_type != SHT_NOTE)
			*bytes += s.sh_size;
	}
	return true;
}

static uint64_t archive_bytes(const struct text *archive)
{
	uint64_t bytes = 0;
	struct ar_hdr head;
	struct text member;

	for (size_t at = SARMAG; at < archive->size; at += member.size + member.size % 2) {
		char digits[sizeof(head.ar_size) + 1] = "";

		if (!get(archive, at, &head, sizeof(head)))
			return 0;
		memcpy(digits, head.ar_size, sizeof(head.ar_size));
		at += sizeof(head);
		member = (struct text){ archive->at + at, strtoull(digits, NULL, 10) };
		if (member.size > archive->size - at || !add_object(&member, &bytes))
			return 0;
	}
	return bytes;
}

static uint64_t bytes_of(int fd, size_t size)
{
	void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	struct text text = { map, size };
	uint64_t bytes = size;

	if (map == MAP_FAILED)
		return 0;
	if (size >= SARMAG && !memcmp(text.at, ARMAG, SARMAG))
		bytes = archive_bytes(&text);
	munmap(map, size);
	return bytes;
}

uint64_t iot_whole_bytes(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	uint64_t bytes = 0;
	struct stat st;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		bytes = bytes_of(fd, (size_t)st.st_size);
	close(fd);
	return bytes;
}
