/* SPDX-License-Identifier: BSD-3-Clause */
/* run-look.c - what a program is, and why libiotrace.so may not come into it. */
#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "run.h"

#define LOADER "ld-linux-x86-64.so.2"

/* An executable, mapped. */
struct image {
	const char *path;
	const uint8_t *at;
	size_t size;
};

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *iot_run_find(const char *program)
{
	const char *dir = getenv("PATH");
	int why = ENOENT;

	if (strchr(program, '/')) {
		struct stat st;

		if (stat(program, &st))
			return NULL;
		errno = S_ISDIR(st.st_mode) ? EISDIR : EACCES;
		return is_program(program) ? strdup(program) : NULL;
	}
	if (!dir)
		dir = "/bin:/usr/bin";
	for (; *program && dir; dir = strchr(dir, ':') ? strchr(dir, ':') + 1 : NULL) {
		size_t n = strcspn(dir, ":");
		char *path;

		if (asprintf(&path, "%.*s%s%s", (int)n, dir, n ? "/" : "", program) < 0)
			return NULL;
		if (is_program(path))
			return path;
		if (!access(path, F_OK))
			why = EACCES;
		free(path);
	}
	errno = why;
	return NULL;
}

static const void *part(const struct image *m, uint64_t off, uint64_t size)
{
	return off <= m->size && size <= m->size - off ? m->at + off : NULL;
}

static const Elf64_Phdr *segment(const struct image *m, uint32_t type)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)m->at;
	const Elf64_Phdr *ph = part(m, eh->e_phoff, eh->e_phnum * sizeof(*ph));

	for (uint32_t i = 0; ph && i < eh->e_phnum; i++)
		if (ph[i].p_type == type)
			return &ph[i];
	return NULL;
}

/* Where an address of the running program lies in the file. */
static const char *at_address(const struct image *m, uint64_t addr)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)m->at;
	const Elf64_Phdr *ph = part(m, eh->e_phoff, eh->e_phnum * sizeof(*ph));

	for (uint32_t i = 0; ph && i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && addr >= ph[i].p_vaddr && addr - ph[i].p_vaddr < ph[i].p_filesz)
			return part(m, ph[i].p_offset + (addr - ph[i].p_vaddr), 64);
	return NULL;
}

static bool needs(const struct image *m, const char *prefix)
{
	const Elf64_Phdr *ph = segment(m, PT_DYNAMIC);
	const Elf64_Dyn *d = ph ? part(m, ph->p_offset, ph->p_filesz) : NULL;
	uint64_t n = d ? ph->p_filesz / sizeof(*d) : 0, strtab = 0;

	for (uint64_t i = 0; i < n && d[i].d_tag != DT_NULL; i++)
		if (d[i].d_tag == DT_STRTAB)
			strtab = d[i].d_un.d_ptr;
	for (uint64_t i = 0; i < n && d[i].d_tag != DT_NULL; i++) {
		const char *name = d[i].d_tag == DT_NEEDED ? at_address(m, strtab + d[i].d_un.d_val) : NULL;

		if (name && !strncmp(name, prefix, strlen(prefix)))
			return true;
	}
	return false;
}

/* A section of that name: static executables that iocc linked have their own recorder. */
static bool has_section(const struct image *m, const char *name)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)m->at;
	const Elf64_Shdr *sh = part(m, eh->e_shoff, eh->e_shnum * sizeof(*sh));
	uint64_t n = strlen(name) + 1;

	for (uint32_t i = 0; sh && eh->e_shstrndx < eh->e_shnum && i < eh->e_shnum; i++) {
		const char *s = part(m, sh[eh->e_shstrndx].sh_offset + sh[i].sh_name, n);

		if (s && !memcmp(s, name, n))
			return true;
	}
	return false;
}

static void look_at_elf(const struct image *m, struct iot_run_program *program)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)m->at;
	const Elf64_Phdr *ph;
	const char *loader, *name;

	if (eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_machine != EM_X86_64) {
		iot_run_say("%s: not recorded: it is for another architecture than libiotrace.so "
			    "(run one for x86-64)", m->path);
		return;
	}
	ph = segment(m, PT_INTERP);
	loader = ph && ph->p_filesz ? part(m, ph->p_offset, ph->p_filesz) : NULL;
	if (!loader) {
		name = strrchr(m->path, '/') ? strrchr(m->path, '/') + 1 : m->path;
		/* the loader as a command has a program to load */
		if (strncmp(name, "ld-linux", 8) && !has_section(m, "iot_calls"))
			iot_run_say("%s: not recorded: it is static (link it with iocc -static)", m->path);
		return;
	}
	snprintf(program->executable, sizeof(program->executable), "%s", m->path);
	snprintf(program->loader, sizeof(program->loader), "%.*s", (int)ph->p_filesz, loader);
	name = memrchr(loader, '/', ph->p_filesz);
	name = name ? name + 1 : loader;
	if (loader[ph->p_filesz - 1] || strcmp(name, LOADER) != 0) {
		iot_run_say("%s: not recorded: its libc is another than glibc, and loaded by %.*s "
			    "(link it with iocc)", m->path, (int)ph->p_filesz, loader);
		return;
	}
	program->asan = needs(m, "libasan.so");
	if (program->find_mpi)
		program->mpi = iot_run_mpi_of(loader, m->path);
}

static void look(const char *path, struct iot_run_program *program, unsigned depth);

/* A script is run by the interpreter that its first line names. */
static void look_at_script(const struct image *m, struct iot_run_program *program, unsigned depth)
{
	char line[256], *s;

	snprintf(line, sizeof(line), "%.*s", (int)(m->size < 255 ? m->size : 255), (const char *)m->at);
	s = line + 2 + strspn(line + 2, " \t");
	s[strcspn(s, " \t\n")] = 0;
	if (*s && depth < 4)
		look(s, program, depth + 1);
}

static void look_at_privileges(int fd, const char *path)
{
	struct stat st;

	if (!fstat(fd, &st) && st.st_mode & (S_ISUID | S_ISGID) &&
	    (st.st_uid != geteuid() || st.st_gid != getegid()))
		iot_run_say("%s: not recorded: it is set-%s-id, and takes no libraries from the environment "
			    "(run a copy without that bit)",
			    path, st.st_mode & S_ISUID ? "user" : "group");
	else if (fgetxattr(fd, "security.capability", NULL, 0) > 0 && geteuid())
		iot_run_say("%s: not recorded: it has capabilities, and takes no libraries from the environment "
			    "(run a copy without them)",
			    path);
}

static void look(const char *path, struct iot_run_program *program, unsigned depth)
{
	struct image m = {.path = path};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	/* one that may be run and not read is not for us to judge */
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size >= 4) {
		m.size = (size_t)st.st_size;
		p = mmap(NULL, m.size, PROT_READ, MAP_PRIVATE, fd, 0);
		m.at = p == MAP_FAILED ? NULL : p;
	}
	if (m.at && m.size >= sizeof(Elf64_Ehdr) && !memcmp(m.at, ELFMAG, SELFMAG)) {
		look_at_privileges(fd, path);
		look_at_elf(&m, program);
	} else if (m.at && !memcmp(m.at, "#!", 2)) {
		look_at_script(&m, program, depth);
	}
	if (m.at)
		munmap((void *)m.at, m.size);
	close(fd);
}

bool iot_run_is_elf(const char *path)
{
	char magic[SELFMAG];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return is;
}

void iot_run_look(const char *path, struct iot_run_program *program)
{
	look(path, program, 0);
}
