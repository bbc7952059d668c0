/* SPDX-License-Identifier: BSD-3-Clause */
/* object.h - what objects, archives and shared libraries say of themselves. */
#ifndef IOCC_OBJECT_H
#define IOCC_OBJECT_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include "iocc.h"

struct elf {
	const char *text; /* NULL: it can't be read */
	size_t size;
	const Elf64_Ehdr *head; /* NULL: it is something else */
};

struct elf iot_elf_open(const char *path);
void iot_elf_close(const struct elf *e);

bool iot_elf_is_shared(const struct elf *e);
/* Whether it has to have a function from elsewhere whose name begins with one of these, as all
   objects and some member of an archive; weakly: or would have it if there is one. */
bool iot_elf_refers(const struct elf *e, const char *const *names, bool weakly);
/* Whether it, or a member of it, has something of such a name that others may use.  Not of a
   shared library. */
typedef bool iot_is_such(void *arg, const char *name);
bool iot_elf_defines(const struct elf *e, iot_is_such *is, void *arg);
/* Each part of it that has names in it: an object's tables of symbols' names, what an archive tells of its
   members, all of another file. */
void iot_elf_names(const struct elf *e, void (*each)(void *arg, const char *text, size_t n), void *arg);
bool iot_elf_is_bitcode(const struct elf *e); /* LLVM's, of which that can't be told */
/* Whether it needs a shared library whose name begins so. */
bool iot_elf_needs(const struct elf *e, const char *soname);
/* Adds the names of the libraries that it needs to those that are there. */
void iot_elf_add_needed(struct words *names, const struct elf *e);

#endif
