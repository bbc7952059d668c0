/* SPDX-License-Identifier: BSD-3-Clause */
/* code.c - the code at an address of a program, read from the file that lies there. */
#include "faults.h"

#include "arch-access.h"
#include "arena.h"
#include "sys.h"

#include <string.h>
#include <sys/mman.h>

/* Bytes of code, from the files that it is from; those last looked at. */
#define CODES 1024u
static struct {
	uint64_t pc;
	uint32_t pid;
	bool known;
	uint8_t code[IOT_ACCESS_CODE];
} *codes;

static bool read_code(const struct iot_area *a, uint64_t pc, uint8_t *code)
{
	int fd = a->file ? iot_sys_openat(AT_FDCWD, a->file->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0) : -1;
	long n;

	if (fd < 0)
		return false;
	n = iot_syscall(SYS_pread64, (long)fd, code, (long)IOT_ACCESS_CODE, a->offset + (pc - a->start));
	iot_sys_close(fd);
	return n > 0;
}

const uint8_t *iot_fault_code(uint32_t pid, uint64_t pc)
{
	const uint32_t at = (uint32_t)((pc ^ pc >> 10) % CODES);
	const struct iot_area *a;

	if (!codes)
		codes = iot_map(CODES * sizeof(*codes));
	if (!codes)
		return NULL;
	if (codes[at].pc != pc || codes[at].pid != pid) {
		a = iot_area_at(pid, pc);
		codes[at].pc = pc;
		codes[at].pid = pid;
		memset(codes[at].code, 0, IOT_ACCESS_CODE);
		codes[at].known = a && a->prot & PROT_EXEC && read_code(a, pc, codes[at].code);
	}
	return codes[at].known ? codes[at].code : NULL;
}
