/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce.c - sums up the log of a job under mpirun, and prints what iotrace-stat
 * --format=json does: how a tool that runs on many nodes is written.
 *
 *	mpirun -np N reduce JOB
 *
 * Rank k of N opens every N-th log of the job from k on; nobody reads all of it.
 */
#include "config.h"

#include <mpi.h>
#include <stdlib.h>

#include "part.h"

const char *argp_program_version = "reduce";
struct stat_options iot_stat_options = {.top = SIZE_MAX, .findings = true};

/* Those of the other ranks are added to rank 0's. */
static void add_up(struct iota *a, int rank, int size)
{
	struct iota_bytes sums = {0};
	MPI_Status status;
	char *bytes;
	int from, n;

	if (rank) {
		iota_put(a, &sums);
		MPI_Send(sums.p, (int)sums.len, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
		return;
	}
	for (from = 1; from < size; from++) {
		MPI_Probe(from, 0, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_BYTE, &n);
		bytes = malloc((size_t)n + 1);
		MPI_Recv(bytes, n, MPI_BYTE, from, 0, MPI_COMM_WORLD, &status);
		if (!iota_take(a, bytes, (size_t)n))
			iot_die("what rank %d sent is no sums", from);
		free(bytes);
	}
}

int main(int argc, char **argv)
{
	int rank, size;
	struct iota *a;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc != 2)
		iot_die("usage: mpirun -np N reduce JOB");
	a = iota_new(ALL_TABLES);
	sum_part(a, argv[1], (size_t)rank, (size_t)size);
	add_up(a, rank, size);
	if (rank == 0)
		print_all(a);
	MPI_Finalize();
	return iot_exit_status;
}
