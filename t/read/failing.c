/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * failing.c - preloaded, has functions of libdw, libelf and libzstd fail as they can.
 *
 *	FAILS=NAME:N
 *
 * The function fails from its N-th call on; FAILED=FILE is made when it does.
 */
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_ZSTD
#include <zstd.h>
#endif

static int fails(const char *name, unsigned *calls)
{
	const char *which = getenv("FAILS"), *file = getenv("FAILED");
	size_t n = strlen(name);
	FILE *f;

	if (!which || strncmp(which, name, n) || which[n] != ':')
		return 0;
	if (++*calls < strtoul(which + n + 1, NULL, 10))
		return 0;
	f = file ? fopen(file, "w") : NULL;
	if (f)
		fclose(f);
	return 1;
}

/* TYPE NAME(PARAMETERS), called with ARGUMENTS, fails by returning FAILURE. */
#define FUNCTION(type, name, failure, parameters, arguments)                                       \
	type name parameters                                                                       \
	{                                                                                          \
		static unsigned calls;                                                             \
		type(*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name);              \
                                                                                                   \
		if (fails(#name, &calls))                                                          \
			return failure;                                                            \
		return real arguments;                                                             \
	}

FUNCTION(Dwfl *, dwfl_begin, NULL, (const Dwfl_Callbacks *c), (c))
FUNCTION(Dwfl_Module *, dwfl_report_elf, NULL,
	 (Dwfl * d, const char *name, const char *file, int fd, GElf_Addr base, bool add),
	 (d, name, file, fd, base, add))
FUNCTION(Dwfl_Module *, dwfl_addrmodule, NULL, (Dwfl * d, Dwarf_Addr at), (d, at))
FUNCTION(Elf *, dwfl_module_getelf, NULL, (Dwfl_Module * m, GElf_Addr *bias), (m, bias))
FUNCTION(Dwarf *, dwfl_module_getdwarf, NULL, (Dwfl_Module * m, Dwarf_Addr *bias), (m, bias))
FUNCTION(int, dwfl_module_getsymtab, -1, (Dwfl_Module * m), (m))
FUNCTION(const char *, dwfl_module_getsym, NULL,
	 (Dwfl_Module * m, int i, GElf_Sym *sym, GElf_Word *index), (m, i, sym, index))
FUNCTION(int, dwfl_module_build_id, 0,
	 (Dwfl_Module * m, const unsigned char **bits, GElf_Addr *at), (m, bits, at))
FUNCTION(const char *, dwfl_module_addrinfo, NULL,
	 (Dwfl_Module * m, GElf_Addr at, GElf_Off *offset, GElf_Sym *sym, GElf_Word *index, Elf **elf, Dwarf_Addr *bias),
	 (m, at, offset, sym, index, elf, bias))
FUNCTION(int, dwarf_get_units, -1,
	 (Dwarf * d, Dwarf_CU *cu, Dwarf_CU **next, Dwarf_Half *version, uint8_t *type, Dwarf_Die *die, Dwarf_Die *split),
	 (d, cu, next, version, type, die, split))
FUNCTION(ptrdiff_t, dwarf_ranges, -1,
	 (Dwarf_Die * die, ptrdiff_t offset, Dwarf_Addr *base, Dwarf_Addr *low, Dwarf_Addr *high),
	 (die, offset, base, low, high))
FUNCTION(int, dwarf_child, -1, (Dwarf_Die * die, Dwarf_Die *to), (die, to))
FUNCTION(int, dwarf_siblingof, -1, (Dwarf_Die * die, Dwarf_Die *to), (die, to))
FUNCTION(int, dwarf_tag, 0, (Dwarf_Die * die), (die))
FUNCTION(int, dwarf_haspc, -1, (Dwarf_Die * die, Dwarf_Addr pc), (die, pc))
FUNCTION(Dwarf_Line *, dwarf_getsrc_die, NULL, (Dwarf_Die * unit, Dwarf_Addr at), (unit, at))
FUNCTION(int, dwarf_lineno, -1, (Dwarf_Line * line, int *n), (line, n))
FUNCTION(const char *, dwarf_linesrc, NULL, (Dwarf_Line * line, Dwarf_Word *time, Dwarf_Word *length), (line, time, length))
FUNCTION(int, dwarf_getsrcfiles, -1, (Dwarf_Die * unit, Dwarf_Files **files, size_t *n), (unit, files, n))
FUNCTION(const char *, dwarf_filesrc, NULL,
	 (Dwarf_Files * files, size_t i, Dwarf_Word *time, Dwarf_Word *length), (files, i, time, length))
FUNCTION(const char *, dwarf_diename, NULL, (Dwarf_Die * die), (die))
FUNCTION(Dwarf_Attribute *, dwarf_attr, NULL, (Dwarf_Die * die, unsigned name, Dwarf_Attribute *to), (die, name, to))
FUNCTION(Dwarf_Attribute *, dwarf_attr_integrate, NULL,
	 (Dwarf_Die * die, unsigned name, Dwarf_Attribute *to), (die, name, to))
FUNCTION(int, dwarf_formudata, -1, (Dwarf_Attribute * attr, Dwarf_Word *value), (attr, value))
FUNCTION(const char *, dwarf_formstring, NULL, (Dwarf_Attribute * attr), (attr))
FUNCTION(Elf *, elf_begin, NULL, (int fd, Elf_Cmd command, Elf *ref), (fd, command, ref))
FUNCTION(int, elf_getphdrnum, -1, (Elf * elf, size_t *n), (elf, n))
FUNCTION(GElf_Phdr *, gelf_getphdr, NULL, (Elf * elf, int i, GElf_Phdr *to), (elf, i, to))
#ifdef WITH_ZSTD
FUNCTION(ZSTD_CCtx *, ZSTD_createCCtx, NULL, (void), ())
FUNCTION(ZSTD_DCtx *, ZSTD_createDCtx, NULL, (void), ())
FUNCTION(size_t, ZSTD_compressStream2, (size_t)-1,
	 (ZSTD_CCtx * c, ZSTD_outBuffer *out, ZSTD_inBuffer *in, ZSTD_EndDirective how), (c, out, in, how))
FUNCTION(size_t, ZSTD_decompressDCtx, (size_t)-1,
	 (ZSTD_DCtx * d, void *to, size_t room, const void *from, size_t n), (d, to, room, from, n))
#endif
