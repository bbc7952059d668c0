/* SPDX-License-Identifier: BSD-3-Clause */
/* say.h - a program says, in said.RANK, what each of its calls is; see t/lib/mpi-calls.awk. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static FILE *said;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(said, format, ap);
	va_end(ap);
	putc('\n', said);
}

/* Returns the rank. */
static int say_begin(int *argc, char ***argv)
{
	char name[30];
	int rank;

	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof(name), "said.%d", rank);
	said = fopen(name, "w");
	return rank;
}
