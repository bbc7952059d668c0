/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbol.c - what is at an address: module, function, file and line.
 *
 * The log names the modules that were mapped and their build ids.  A module's
 * file is used if it still is that file; if not, its addresses stay numbers and
 * one line says why.
 */
#include "config.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

#include "define.h"
#include "inline.h"
#include "starve.h"

/* A demangled name can be far longer than the mangled one, if somebody wants to hurt. */
#define MAX_MANGLED 2000
/* So many functions are expanded in each other at one address.  Compilers stop far earlier. */
#define MAX_EXPANDED 32

/* A file that some log says was mapped.  It is opened once for all logs of a set: addresses of each log
   are moved to where the file would be if the first log had mapped it. */
struct iotr_module {
	const char *name;
	const unsigned char *build_id;
	size_t build_id_len;
	const struct iotr_log *log; /* that alone can use it, if there is no build id */
	Dwfl *dwfl;		   /* NULL: addresses only */
	Elf *elf;
	uint64_t base;		   /* where its address 0 is */
	struct iotr_units units;   /* what its DWARF is about */
	struct iotr_idmap places;  /* by address behind base: what was looked up */
	struct iotr_module *next;
};

/* What the source has at an address. */
struct place {
	const char *func, *file;
	int line;
	uint64_t func_offset; /* of the address in func */
	struct place *outer;  /* the function that this one was expanded in; NULL: none */
};

/* The directory in which debuginfod's clients keep what they fetched: see debuginfod_find_debuginfo(3). */
static void cache_dir(char *dir, size_t size)
{
	const char *given = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (!home)
		home = "/";
	snprintf(dir, size, "%s/.debuginfod_client_cache", home);
	if (given && *given)
		snprintf(dir, size, "%s", given);
	else if (access(dir, F_OK) && xdg && *xdg)
		snprintf(dir, size, "%s/debuginfod_client", xdg);
	else if (access(dir, F_OK))
		snprintf(dir, size, "%s/.cache/debuginfod_client", home);
}

/* The debug information of a module, if a client of debuginfod has fetched it already.  The client keeps
   an empty file for a module of which no server has any.  -1: there is none; else *name is malloc's. */
static int open_cached(Dwfl_Module *mod, char **name)
{
	char dir[PATH_MAX], file[PATH_MAX + 200], hex[129] = "";
	const unsigned char *id;
	struct stat st;
	GElf_Addr at;
	int i, fd, n = dwfl_module_build_id(mod, &id, &at);

	if (n <= 0 || (size_t)n > sizeof(hex) / 2)
		return -1;
	for (i = 0; i < n; i++)
		snprintf(hex + (size_t)i * 2, 3, "%02x", id[i]);
	cache_dir(dir, sizeof(dir));
	snprintf(file, sizeof(file), "%s/%s/debuginfo", dir, hex);
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size) {
		*name = strdup(file);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* elfutils looks where the system has debug information; then it is looked for among what debuginfod's
   clients fetched.  Only what belongs to one module is: file is NULL when elfutils asks for what several
   modules share. */
static int find_debuginfo(Dwfl_Module *mod, void **data, const char *module, Dwarf_Addr base, const char *file,
			  const char *link, GElf_Word crc, char **name)
{
	int fd = dwfl_standard_find_debuginfo(mod, data, module, base, file, link, crc, name);

	return fd < 0 && file ? open_cached(mod, name) : fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
};

/* The file in which a module is looked for. */
static const char *file_of(struct iotr_log *log, const struct iotr_map *map)
{
	const char *root = log->shared->symfs;
	size_t n = root ? strlen(root) : 0, size = n + strlen(map->name) + 1;
	char *file;

	if (!root)
		return map->name;
	file = iotr_arena_alloc(&log->shared->arena, size);
	snprintf(file, size, "%s%s", root, map->name);
	return file;
}

/* Why code in the file has no names; why is a format. */
__attribute__((format(printf, 3, 4)))
static void nameless(struct iotr_log *log, const char *file, const char *why, ...)
{
	char text[200];
	va_list ap;

	if (log->shared->mute)
		return;
	va_start(ap, why);
	vsnprintf(text, sizeof(text), why, ap);
	va_end(ap);
	iotr_say(log, IOTR_NOTE, "%s %s: its addresses stay numbers", file, text);
}

/* The file, if it is a regular one; a log can name anything. */
static int open_file(struct iotr_log *log, const char *file, struct stat *st)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		nameless(log, file, "can't be opened (%s)", strerror(errno));
		return -1;
	}
	if (fstat(fd, st) < 0 || !S_ISREG(st->st_mode)) {
		nameless(log, file, "is not a regular file");
		close(fd);
		return -1;
	}
	return fd;
}

/* The address of the file's byte at offset, as the program headers have it.  lld lets code begin in the
   page of the file in which the segment before it ends, and at another address; so a segment of code
   goes first, since the mappings in logs are those of code. */
static bool address_of_offset(Elf *elf, uint64_t offset, uint64_t *address)
{
	bool found = false;
	size_t i, n;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &n) < 0)
		return false;
	for (i = 0; i < n; i++) {
		uint64_t align;

		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD || (found && !(ph.p_flags & PF_X)))
			continue;
		align = ph.p_align > 1 ? ph.p_align : IOT_ALIGN;
		/* a mapping begins at a page, a segment anywhere in it */
		if (offset >= ph.p_offset - ph.p_offset % align &&
		    offset < ph.p_offset + ph.p_filesz) {
			*address = ph.p_vaddr + (offset - ph.p_offset);
			found = true;
			if (ph.p_flags & PF_X)
				break;
		}
	}
	return found;
}

/* A library that was stripped still has the names of the functions that it exports. */
static bool has_symbols(Dwfl_Module *mod)
{
	int i, n = dwfl_module_getsymtab(mod);
	GElf_Addr bias;
	GElf_Sym sym;
	GElf_Word in;

	if (dwfl_module_getdwarf(mod, &bias))
		return true;
	for (i = 1; i < n; i++)
		if (dwfl_module_getsym(mod, i, &sym, &in) && sym.st_shndx != SHN_UNDEF &&
		    (GELF_ST_TYPE(sym.st_info) == STT_FUNC ||
		     GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC))
			return true;
	return false;
}

/* Is the file the one that ran?  If the log has no build id, the file's age decides. */
static bool same_file(struct iotr_log *log, const struct iotr_map *map, const char *file,
		      Dwfl_Module *mod, const struct stat *st)
{
	const unsigned char *id;
	GElf_Addr at;
	int len = dwfl_module_build_id(mod, &id, &at);

	if (map->build_id_len) {
		if (len > 0 && (size_t)len == map->build_id_len &&
		    !memcmp(id, map->build_id, map->build_id_len))
			return true;
		nameless(log, file, "is not the file that ran (another build id)");
		return false;
	}
	if ((uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec <=
	    iotr_log_start(log))
		return true;
	nameless(log, file, "was changed since it ran");
	return false;
}

static void open_module(struct iotr_log *log, const struct iotr_map *map, struct iotr_module *m)
{
	struct stat st;
	const char *file = file_of(log, map);
	int fd = open_file(log, file, &st);
	Dwfl_Module *mod = NULL;
	uint64_t address;
	Elf *elf = NULL;
	GElf_Addr bias;
	Dwfl *dwfl;
	const char *why;

	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	dwfl = dwfl_begin(&callbacks);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!dwfl || !elf || elf_kind(elf) != ELF_K_ELF ||
	    !address_of_offset(elf, map->offset, &address)) {
		nameless(log, file, "is no executable that fits");
		goto fail;
	}
	elf_end(elf);
	elf = NULL;
	dwfl_report_begin(dwfl);
	mod = dwfl_report_elf(dwfl, file, file, fd, map->start - address, true);
	if (mod)
		fd = -1; /* dwfl's now */
	dwfl_report_end(dwfl, NULL, NULL);
	if (!mod) {
		why = dwfl_errmsg(-1);
		nameless(log, file, "can't be read (%s)", why ? why : "libdw does not say why");
		goto fail;
	}
	if (!same_file(log, map, file, mod, &st))
		goto fail;
	if (!has_symbols(mod)) {
		nameless(log, file, "is stripped");
		goto fail;
	}
	m->dwfl = dwfl;
	m->elf = dwfl_module_getelf(mod, &bias);
	m->base = map->start - address;
	return;
fail:
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	if (dwfl)
		dwfl_end(dwfl);
}

static bool is_module(const struct iotr_module *m, const struct iotr_log *log,
		      const struct iotr_map *map)
{
	return !strcmp(m->name, map->name) && m->build_id_len == map->build_id_len &&
	       !memcmp(m->build_id, map->build_id, map->build_id_len) && (!m->log || m->log == log);
}

static struct iotr_module *module_get(struct iotr_log *log, const struct iotr_map *map)
{
	struct iotr_arena *arena = &log->shared->arena;
	struct iotr_module *m;

	for (m = log->shared->modules; m; m = m->next)
		if (is_module(m, log, map))
			return m;
	m = iotr_arena_alloc(arena, sizeof(*m));
	m->name = iotr_arena_copy(arena, map->name, strlen(map->name));
	m->build_id = (unsigned char *)iotr_arena_copy(arena, map->build_id, map->build_id_len);
	m->build_id_len = map->build_id_len;
	m->log = map->build_id_len ? NULL : log;
	open_module(log, map, m);
	m->next = log->shared->modules;
	log->shared->modules = m;
	return m;
}

/* A function's name as in its source. */
static const char *source_name(struct iotr_arena *arena, const char *name)
{
	const char *copy;
	char *plain = NULL;

#ifdef HAVE_LIBIBERTY
	if (strlen(name) <= MAX_MANGLED)
		plain = cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI);
#endif
	copy = plain ? plain : name;
	copy = iotr_arena_copy(arena, copy, strlen(copy));
	free(plain);
	return copy;
}

/* Finds the symbol in which the address lies. */
static void find_function(struct iotr_arena *arena, Dwfl_Module *mod, Dwarf_Addr at,
			  struct place *p)
{
	GElf_Off offset = 0;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(mod, at, &offset, &symbol, NULL, NULL, NULL);

	if (!name)
		return;
	p->func = source_name(arena, name);
	p->func_offset = offset;
}

/* libdw has some names of files as the compiler was given them, below its directory. */
static void set_source(struct iotr_arena *arena, struct place *p, const char *dir, const char *file,
		       int line)
{
	size_t n = dir && file && *file != '/' ? strlen(dir) : 0, size;
	char *name;

	if (!file)
		return;
	size = n + strlen(file) + 2;
	name = iotr_arena_alloc(arena, size);
	snprintf(name, size, "%.*s%s%s", (int)n, dir ? dir : "", n ? "/" : "", file);
	p->file = name;
	p->line = line;
}

static void set_line(struct iotr_arena *arena, struct place *p, const char *dir, Dwarf_Line *line)
{
	int number = 0;

	if (!line)
		return;
	dwarf_lineno(line, &number);
	set_source(arena, p, dir, dwarf_linesrc(line, NULL, NULL), number);
}

/* Is this the first instruction of what a signal's handler returns to?  The kernel has put this address
   on the stack, and no call lies before it. */
static bool is_restorer(Dwfl_Module *mod, Dwarf_Addr at)
{
	static const char *const names[] = {
		"__restore_rt", "runtime.sigreturn", "runtime.sigreturn__sigaction",
	};
	GElf_Off offset = 0;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(mod, at, &offset, &symbol, NULL, NULL, NULL);
	size_t i;

	for (i = 0; name && !offset && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void look_up(struct iotr_arena *arena, struct iotr_module *m, uint64_t address,
		    struct place *p)
{
	struct iotr_expanded in[MAX_EXPANDED];
	struct iotr_source source;
	Dwarf_Addr at = m->base + address;
	Dwfl_Module *mod = dwfl_addrmodule(m->dwfl, at);
	size_t i, n = 0;

	if (!mod)
		return;
	at += is_restorer(mod, at + 1);
	if (iotr_source_at(&m->units, mod, at, &source)) {
		set_line(arena, p, source.dir, dwarf_getsrc_die(&source.lines, source.at));
		n = iotr_expanded_at(&source, in, MAX_EXPANDED);
	}
	for (i = 0; i < n; i++) {
		p->func = in[i].func ? source_name(arena, in[i].func) : NULL;
		p->outer = iotr_arena_alloc(arena, sizeof(*p));
		p = p->outer;
		set_source(arena, p, source.dir, in[i].file, in[i].line);
	}
	find_function(arena, mod, at, p);
}

static const struct place *place_get(struct iotr_log *log, const struct iotr_map *map, uint64_t at)
{
	struct iotr_module *m = module_get(log, map);
	uint64_t address;
	struct place *p;

	if (!m->dwfl || !address_of_offset(m->elf, map->offset, &address))
		return NULL;
	address += at - map->start;
	p = iotr_idmap_get(&m->places, address);
	if (p)
		return p;
	p = iotr_arena_alloc(&log->shared->arena, sizeof(*p));
	look_up(&log->shared->arena, m, address, p);
	iotr_idmap_put(&m->places, address, p);
	return p;
}

/* A frame, and which file was mapped at its address: at another time it can be another one. */
struct frame_in {
	struct iotr_frame frame;
	const char *map; /* its name; maps of one name share the string */
	struct frame_in *next;
};

static void set_place(struct iotr_frame *f, const struct place *p)
{
	f->func = p->func;
	f->func_offset = p->func_offset + (p->func && !p->outer);
	f->file = p->file;
	f->line = p->line;
}

/* Sets the place of a frame of an interpreter's code. */
static void set_code(const struct iotr_log *log, struct iotr_frame *f)
{
	const struct iotr_code *code =
		iotr_idmap_get(&log->codes, (uint32_t)(f->pc >> IOT_CODE_NUMBER_SHIFT));
	const struct iotr_path *path;

	if (!code)
		return;
	path = iotr_idmap_get(&log->path, code->path);
	f->language = code->language;
	f->func = code->func;
	f->file = path ? path->name : code->file;
	f->line = (int)(f->pc & IOT_CODE_LINE_MAX);
}

static const struct iotr_frame *frame_new(struct iotr_log *log, const struct iotr_map *map,
					  uint64_t pc)
{
	struct frame_in *in = iotr_arena_alloc(&log->arena, sizeof(*in));
	struct iotr_frame *f = &in->frame, *outer;
	const struct place *place;

	in->next = iotr_idmap_get(&log->frames, pc);
	iotr_idmap_put(&log->frames, pc, in);
	f->pc = pc;
	if (IOT_IS_CODE_FRAME(pc))
		set_code(log, f);
	if (!map)
		return f;
	in->map = f->module = map->name;
	f->module_offset = pc - map->start + map->offset;
	place = place_get(log, map, pc - 1);
	if (!place)
		return f;
	set_place(f, place);
	for (; place->outer; f = outer) {
		place = place->outer;
		outer = iotr_arena_alloc(&log->arena, sizeof(*outer));
		*outer = *f;
		f->outer = outer;
		set_place(outer, place);
	}
	return &in->frame;
}

/* A return address belongs to the call in front of it. */
static const struct iotr_map *map_of(struct iotr_log *log, const struct iotr_stack *stack, uint64_t pc)
{
	const struct iotr_stack_at *at = (const struct iotr_stack_at *)stack;

	return IOT_IS_CODE_FRAME(pc) ? NULL : iotr_log_map(log, at->process, pc - 1, at->ticks);
}

static const struct iotr_frame *frame_of(struct iotr_log *log, const struct iotr_stack *stack, uint64_t pc)
{
	const struct iotr_map *map = map_of(log, stack, pc);
	struct frame_in *in = iotr_idmap_get(&log->frames, pc);

	for (; in; in = in->next)
		if (in->map == (map ? map->name : NULL))
			return &in->frame;
	return frame_new(log, map, pc);
}

const struct iotr_frame *iotr_log_frame_beside(struct iotr_log *log, const struct iotr_stack *stack,
					       uint32_t n, int64_t bytes)
{
	const struct iotr_frame *got;
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		iotr_starved_log(log);
		return NULL;
	}
	got = frame_of(log, stack, stack->pc[n] + (uint64_t)bytes);
	iotr_guard_end(&guard);
	return got;
}

const struct iotr_frame *iotr_log_frame(struct iotr_log *log, const struct iotr_stack *stack,
					uint32_t n)
{
	return iotr_log_frame_beside(log, stack, n, 0);
}

/* ---- machine code ---- */

/* The file's bytes of the size addresses from at on.  NULL: the file does not have all of them. */
static const unsigned char *bytes_of(Elf *elf, uint64_t at, uint64_t size)
{
	size_t i, n, length;
	const char *file = elf_rawfile(elf, &length);
	GElf_Phdr ph;

	if (!file || elf_getphdrnum(elf, &n) < 0)
		return NULL;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && at - ph.p_vaddr < ph.p_filesz &&
		    size <= ph.p_filesz - (at - ph.p_vaddr) && ph.p_offset <= length && ph.p_filesz <= length - ph.p_offset)
			return (const unsigned char *)file + ph.p_offset + (at - ph.p_vaddr);
	return NULL;
}

static bool find_code(struct iotr_module *m, uint64_t address, struct iotr_machine_code *code)
{
	Dwfl_Module *mod = dwfl_addrmodule(m->dwfl, m->base + address);
	GElf_Off offset = 0;
	GElf_Sym symbol;
	GElf_Ehdr head;

	if (!mod || !dwfl_module_addrinfo(mod, m->base + address, &offset, &symbol, NULL, NULL, NULL) ||
	    offset >= symbol.st_size || !gelf_getehdr(m->elf, &head))
		return false;
	*code = (struct iotr_machine_code){.bytes = bytes_of(m->elf, address - offset, symbol.st_size),
					   .size = symbol.st_size,
					   .at = offset + 1,
					   .machine = head.e_machine};
	return code->bytes;
}

bool iotr_log_machine_code(struct iotr_log *log, const struct iotr_stack *stack, uint32_t n,
			   struct iotr_machine_code *code)
{
	const struct iotr_map *map;
	struct iotr_module *m;
	struct iotr_guard guard;
	uint64_t address;
	bool found;

	if (!IOTR_TRY(&guard)) {
		iotr_starved_log(log);
		return false;
	}
	map = map_of(log, stack, stack->pc[n]);
	m = map ? module_get(log, map) : NULL;
	found = m && m->dwfl && address_of_offset(m->elf, map->offset, &address) &&
		find_code(m, address + (stack->pc[n] - 1 - map->start), code);
	iotr_guard_end(&guard);
	return found;
}

void iotr_modules_free(struct iotr_shared *shared)
{
	struct iotr_module *m;

	for (m = shared->modules; m; m = m->next) {
		if (m->dwfl)
			dwfl_end(m->dwfl);
		iotr_idmap_free(&m->places);
		iotr_units_free(&m->units);
	}
}
