/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deep.c - deep ROUNDS: writes to /dev/null from eight places, each beneath 1 to 70 calls of
 * go(), or of around(), which has in its frame what was never a frame pointer, or of below()
 * at the same place in the stack.  The number of bytes is that of these calls.
 */
#include <alloca.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int null;
static char bytes[100];

static char *lowest;
#define PLACE(n) static __attribute__((noinline)) long place##n(size_t size) \
{ \
	lowest = __builtin_frame_address(0); \
	return write(null, bytes, size) + (n); \
}
PLACE(0)
PLACE(1)
PLACE(2)
PLACE(3)
PLACE(4)
PLACE(5)
PLACE(6)
PLACE(7)

static long (*const places[])(size_t) = { place0, place1, place2, place3, place4, place5, place6, place7 };

static __attribute__((noinline)) long go(unsigned place, size_t left, size_t size)
{
	long r = left > 1 ? go(place, left - 1, size) : places[place](size);

	/* no tail call */
	__asm__ volatile("" : "+r"(r));
	return r;
}

/* Calls itself LEFT - 1 times, and then the place; %rbp is 0 where as many are left as ZERO
   says, and else 0xffff. */
long around(size_t size, long (*place)(size_t), size_t left, size_t zero);
__asm__(".text\n"
	".type around, @function\n"
	"around:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	mov $0xffff, %ebp\n"
	"	mov $0, %eax\n"
	"	cmp %rcx, %rdx\n"
	"	cmove %rax, %rbp\n"
	"	sub $1, %rdx\n"
	"	jz 1f\n"
	"	call around\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_def_cfa_offset 16\n"
	"1:	call *%rsi\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size around, . - around\n");

/* Calls it so many bytes further down. */
static __attribute__((noinline)) long below(unsigned place, size_t room)
{
	volatile char *p = alloca(room + 1);
	long r;

	p[0] = 0;
	r = places[place](1);
	p[0] = 1;
	return r;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc == 2 ? (unsigned)atoi(argv[1]) : 0;

	null = open("/dev/null", O_WRONLY);
	for (unsigned i = 0; i < rounds; i++) {
		size_t size = 1 + i * 37 % 70;
		size_t room;
		char *deep;

		if (go(i * 5 % 8, size, size) < (long)size || around(70, places[i % 8], 70, i / 8 % 70) < 70)
			return 1;
		deep = lowest;
		/* at the same place of the stack, few frames */
		below((i + 1) % 8, 0);
		room = (size_t)(lowest - deep);
		below((i + 1) % 8, room);
		around(70, places[i % 8], 70, i / 8 % 70);
		below((i + 1) % 8, room);
		if (lowest != deep)
			return 2;
	}
	return 0;
}
