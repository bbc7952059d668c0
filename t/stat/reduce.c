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
struct stat_options iot_stat_options = {.top = SIZE_MAX, .facts = true};

/* Those of the other ranks are added to rank 0's. */
static void add_up(int rank, int size)
{
	struct out o = {.fd = -1};
	MPI_Status status;
	char *bytes;
	int from, n;

	if (rank) {
		iot_stat_put(&o);
		MPI_Send(o.buf, (int)o.len, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
		return;
	}
	for (from = 1; from < size; from++) {
		MPI_Probe(from, 0, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_BYTE, &n);
		bytes = malloc((size_t)n + 1);
		MPI_Recv(bytes, n, MPI_BYTE, from, 0, MPI_COMM_WORLD, &status);
		if (!iot_stat_take(bytes, (size_t)n))
			iot_die("what rank %d sent is no sums", from);
		free(bytes);
	}
}

int main(int argc, char **argv)
{
	int rank, size, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc != 2)
		iot_die("usage: mpirun -np N reduce JOB");
	for (i = 0; i < N_TABLES; i++)
		iot_tables[i].wanted = iot_stat_options.shown[i] = true;
	sum_part(argv[1], (size_t)rank, (size_t)size);
	add_up(rank, size);
	if (rank == 0) {
		iot_rows_done(F_SELF);
		iot_stat_json(iotr_set_new(iot_on_message, NULL));
		iot_out_flush(&iot_stdout);
	}
	MPI_Finalize();
	return iot_exit_status;
}
