/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count.c - to be preloaded into a Fortran program: the statements that it executes, as
 * another who stands in front of gfortran's runtime sees them.  Knows nothing of the
 * recorder.  COUNT_TO names a file, which gets a line for each when it begins:
 *
 *	WRITE 12 10		on line 12, of unit 10; "-" for what is not known or not there
 *
 * Left out: statements on character variables, and those of defined I/O within them;
 * functions that a subroutine calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct parameters {
	uint32_t flags;
	int32_t unit;
	const char *file;
	int32_t line;
};

static int to = -1;

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("COUNT_TO");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;

	if (fd >= 0) {
		to = fcntl(fd, F_DUPFD_CLOEXEC, 500);
		close(fd);
	}
	unsetenv("COUNT_TO");
	unsetenv("LD_PRELOAD");
}

/* The program's FORTRAN I/O goes on as if this were not there: no streams, no errno. */
static void tell(const char *call, const struct parameters *p, const int32_t *unit)
{
	char line[64], at[16] = "-", of[16] = "-";
	int n;

	if (p)
		snprintf(at, sizeof(at), "%d", p->line);
	if (unit)
		snprintf(of, sizeof(of), "%d", *unit);
	n = snprintf(line, sizeof(line), "%s %s %s\n", call, at, of);
	if (to >= 0)
		syscall(SYS_write, to, line, (size_t)n);
}

static void *find(void *known, const char *name)
{
	return known ? known : dlsym(RTLD_NEXT, name);
}
#define REAL(name) (real = (__typeof__(real))find((void *)real, name))

/* A statement of one call.  has_unit: when it begins */
#define ONE(call, name, has_unit)                             \
	void name(struct parameters *p)                       \
	{                                                     \
		static void (*real)(struct parameters *);     \
							      \
		tell(call, p, has_unit ? &p->unit : NULL);    \
		REAL(#name);                                  \
		real(p);                                      \
	}

ONE("OPEN", _gfortran_st_open, 0)
ONE("CLOSE", _gfortran_st_close, 1)
ONE("INQUIRE", _gfortran_st_inquire, !(p->flags >> 14 & 1))
ONE("REWIND", _gfortran_st_rewind, 1)
ONE("BACKSPACE", _gfortran_st_backspace, 1)
ONE("ENDFILE", _gfortran_st_endfile, 1)
ONE("FLUSH", _gfortran_st_flush, 1)
ONE("WAIT", _gfortran_st_wait, 1)
ONE("WAIT", _gfortran_st_wait_async, 1)

/* READ and WRITE.  Units that the runtime has given to character variables, while they
   have them. */
#define INTERNAL (1u << 14)
#define MOST 256
static __thread struct {
	const struct parameters *p;
	int32_t unit;
} internal[MOST];
static __thread int n_internal;

static int is_internal(const struct parameters *p)
{
	for (int i = 0; i < n_internal; i++)
		if (internal[i].unit == p->unit)
			return 1;
	return p->flags & INTERNAL;
}

#define TWO(call, name)                                                        \
	void name(struct parameters *p)                                        \
	{                                                                      \
		static void (*real)(struct parameters *);                      \
		uint32_t flags = p->flags;                                     \
									       \
		if (!is_internal(p))                                           \
			tell(call, p, &p->unit);                               \
		REAL(#name);                                                   \
		real(p);                                                       \
		if (flags & INTERNAL && n_internal < MOST) {                   \
			internal[n_internal].p = p;                            \
			internal[n_internal++].unit = p->unit;                 \
		}                                                              \
	}                                                                      \
	void name##_done(struct parameters *p)                                 \
	{                                                                      \
		static void (*real)(struct parameters *);                      \
									       \
		/* namelists are gone through only now */                              \
		REAL(#name "_done");                                                   \
		real(p);                                                               \
		for (int i = n_internal; i > 0; i--)                                   \
			if (internal[i - 1].p == p)                                    \
				n_internal = i - 1;                                    \
	}

TWO("READ", _gfortran_st_read)
TWO("WRITE", _gfortran_st_write)

/* Functions in imitation of C's. */
static __thread int inside;
static const int32_t standard_input = 5, standard_output = 6;

#define CALL(call, name, unit)                                                 \
	long name(void *a, void *b, void *c, void *d)                          \
	{                                                                      \
		static long (*real)(void *, void *, void *, void *);           \
		long ret;                                                      \
									       \
		if (!inside++)                                                 \
			tell(call, NULL, unit);                                \
		REAL(#name);                                                   \
		ret = real(a, b, c, d);                                        \
		inside--;                                                      \
		return ret;                                                    \
	}
#define CALLS(call, name, unit)              \
	CALL(call, name, unit)               \
	CALL(call, name##_i1_sub, unit)      \
	CALL(call, name##_i2_sub, unit)      \
	CALL(call, name##_i4_sub, unit)      \
	CALL(call, name##_i8_sub, unit)

CALLS("FGETC", _gfortran_fgetc, a)
CALLS("FPUTC", _gfortran_fputc, a)
CALLS("FGET", _gfortran_fget, &standard_input)
CALLS("FPUT", _gfortran_fput, &standard_output)
CALLS("FTELL", _gfortran_ftell, a)
CALL("FSEEK", _gfortran_fseek_sub, a)
CALL("FLUSH", _gfortran_flush_i4, a)
CALL("FLUSH", _gfortran_flush_i8, a)
