/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.c - iotrace-stat under mpirun, in place of parallel.c: each rank reads a part of the
 * logs, and rank 0 prints what one process would print.
 *
 * All ranks open all logs, since what they are, and what they lack, is said once: by rank 0.  What
 * another rank says or prints before the calls are read, rank 0 says, too, so it is kept back; it
 * is shown only if that rank gives up by itself.
 *
 * Sums go up a binary tree, in which each rank has the parts behind its own: the order in which
 * they are added up is that of the logs.
 */
#include "config.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "file.h"
#include "part.h"

size_t iot_stat_jobs;

#define PIECE (1 << 30) /* bytes: of what is sent, since MPI counts with int */

static int rank, size;
/* Of ranks but 0; of what they keep back, rank 0 has said so many bytes itself. */
static int messages = -1, standard_error = -1;
static off_t told;

/* Where all ranks are at the same time, if none has given up. */
enum where { ENDS, BEGINS_TO_READ, HAS_READ };

/* What has been kept back, if others go on.  All ranks come here, and end as ever: MPI_Abort()
   may take what they have said with it. */
static void give_up(bool is_why)
{
	size_t said;
	char *text;

	if (rank && is_why) {
		text = iot_part_contents(messages, &said);
		dup2(standard_error, STDERR_FILENO);
		iot_part_tell(text + told, said - (size_t)told);
	}
	MPI_Finalize();
	_exit(rank ? 0 : iot_trouble);
}

static void meet(enum where here)
{
	int at[2] = {(int)here, -(int)here}, least[2];

	MPI_Allreduce(at, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (least[0] != -least[1])
		give_up(here == ENDS);
}

/* Ranks end with the status of rank 0, since mpirun takes any other for a failure. */
static void at_exit(void)
{
	meet(ENDS);
	MPI_Finalize();
	if (rank)
		_exit(0);
}

void iot_stat_ranks_begin(int argc, char **argv)
{
	int nothing, i;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank) {
		iot_progress_off = true;
		messages = iot_part_file();
		standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		dup2(messages, STDERR_FILENO);
		nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(nothing, STDOUT_FILENO);
	}
	/* mpirun may give a rank a terminal, whatever it has itself */
	setenv("NO_COLOR", "1", 0);
	atexit(at_exit);
	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-"))
			iot_die("-: only one rank has standard input; name the log");
}

/* ---- sums ---- */

static void send_bytes(const char *p, uint64_t n, int to)
{
	uint64_t at, piece;

	MPI_Send(&n, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
	for (at = 0; at < n; at += piece) {
		piece = n - at < PIECE ? n - at : PIECE;
		MPI_Send(p + at, (int)piece, MPI_BYTE, to, 0, MPI_COMM_WORLD);
	}
}

/* To be freed. */
static char *receive_bytes(size_t *n, int from)
{
	uint64_t at, piece, all;
	char *p;

	MPI_Recv(&all, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	p = malloc(all + 1);
	if (!p)
		iot_no_memory();
	for (at = 0; at < all; at += piece) {
		piece = all - at < PIECE ? all - at : PIECE;
		MPI_Recv(p + at, (int)piece, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	*n = all;
	return p;
}

/* With what was said while calls were read: before that rank 0 has said it. */
static void hand_on(const struct iota *a, int to)
{
	struct iota_bytes sums = {0};
	size_t n;
	char *text = iot_part_contents(messages, &n);

	iot_part_put(a, &sums);
	send_bytes(sums.p, sums.len, to);
	send_bytes(text + told, n - (size_t)told, to);
	iot_part_free(text, n);
	free(sums.p);
}

static void add(struct iota *a, int from)
{
	size_t n;
	char *p = receive_bytes(&n, from);

	if (!iot_part_take(a, p, n))
		iot_die("rank %d did not say what is in the logs that it read", from);
	free(p);
	p = receive_bytes(&n, from);
	iot_part_tell(p, n);
	free(p);
}

/* The ranks behind this one add up what the half of them has, before their sums come here. */
static void add_up(struct iota *a, int ranks)
{
	int step;

	for (step = 1; step < ranks; step *= 2) {
		if (rank % (2 * step)) {
			hand_on(a, rank - step);
			return;
		}
		if (rank + step < ranks)
			add(a, rank + step);
	}
}

void iot_stat_scan(struct iota *a, const struct iotr_set *set)
{
	size_t logs = iotr_set_size(set), n;
	struct part *part = calloc(logs, sizeof(*part));

	if (!part)
		iot_no_memory();
	if (iot_stat_jobs)
		iot_die("-j: mpirun -n says how many read");
	meet(BEGINS_TO_READ);
	if (rank)
		told = lseek(messages, 0, SEEK_END);
	/* --file reads the logs again, which have to know then what their calls are */
	n = iot_part_cut(set, part, iot_stat_file_given() ? 1 : (size_t)size);
	if ((size_t)rank < n)
		iot_part_scan(a, set, &part[rank]);
	meet(HAS_READ);
	if ((size_t)rank < n)
		add_up(a, (int)n);
	free(part);
}
