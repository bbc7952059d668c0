/* SPDX-License-Identifier: BSD-3-Clause */
/* look.c - what a program is, and why libiotrace.so may not come into it. */
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

#define MOST_SCRIPTS 4u
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

bool iot_run_is_shell(const char *executable)
{
	static const char *const names[] = {"sh", "bash", "dash", "ksh", "zsh", "env", NULL};
	const char *slash = strrchr(executable, '/'), *const *name = names;

	while (*name && strcmp(*name, slash ? slash + 1 : executable) != 0)
		name++;
	return *name;
}

/* What becomes another program, by a word that means itself.  It ends at spaces. */
static void look_behind(const char *word, struct iot_run_program *program, unsigned depth)
{
	const size_t n = strcspn(word, " \t\n");
	char name[PATH_MAX], *path;

	if (!n || n >= sizeof(name) || memchr(word, '=', n) || *word == '-' || strcspn(word, "$`\\'*?[{~;&|<>()#\"") < n)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)n, word);
	path = iot_run_find(name);
	if (path && program->n_through < MOST_THROUGH) {
		program->through[program->n_through++] = strdup(program->executable);
		look(path, program, depth + 1);
	}
	free(path);
}

/* Whether a line of a shell's script neither begins a program nor decides what comes next. */
static bool is_quiet(const char *line, size_t n)
{
	const size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	if (!n || *line == '#')
		return true;
	if (memchr(line, '`', n) || memmem(line, n, "$(", 2) || memchr(line, ';', n) || memchr(line, '&', n) ||
	    memchr(line, '|', n) || !strncmp(line, "PATH=", 5) || memmem(line, n, " PATH=", 6))
		return false;
	return !strncmp(line, "export ", 7) || !strncmp(line, "set ", 4) ||
	       (name && line[name] == '=' && !memchr(line, ' ', n));
}

/* What a script becomes that sets variables and then becomes a program: the word behind exec; NULL: that
   can't be told. */
static const char *shim_of(char *text)
{
	for (char *line = text, *end; *line; line = end + 1) {
		line += strspn(line, " \t");
		end = line + strcspn(line, "\n");
		if (!strncmp(line, "exec ", 5)) {
			line += 5 + strspn(line + 5, " ");
			end = *line == '"' ? strpbrk(line + 1, "\"\n") : NULL;
			if (!end)
				return line;
			*end = ' ';
			return line + 1;
		}
		if (!*end || !is_quiet(line, (size_t)(end - line)))
			return NULL;
	}
	return NULL;
}

/* A script is run by the interpreter that its first line names; env is one that becomes another. */
static void look_at_script(const struct image *m, struct iot_run_program *program, unsigned depth)
{
	char text[4096], *name, *word;
	const char *shim, *slash;
	size_t n;

	snprintf(text, sizeof(text), "%.*s", (int)(m->size < sizeof(text) ? m->size : sizeof(text) - 1), (const char *)m->at);
	name = text + 2 + strspn(text + 2, " \t");
	n = strcspn(name, "\n");
	shim = name[n] ? shim_of(name + n + 1) : NULL;
	name[n] = 0;
	n = strcspn(name, " \t");
	word = name[n] ? name + n + 1 + strspn(name + n + 1, " \t") : name + n;
	name[n] = 0;
	if (!*name)
		return;
	look(name, program, depth + 1);
	slash = strrchr(name, '/');
	if (!strcmp(slash ? slash + 1 : name, "env"))
		look_behind(strncmp(word, "-S", 2) ? word : word + 2 + strspn(word + 2, " \t"), program, depth);
	if (shim && iot_run_is_shell(program->executable))
		look_behind(shim, program, depth);
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
	int fd = depth <= MOST_SCRIPTS ? open(path, O_RDONLY | O_CLOEXEC) : -1;
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
