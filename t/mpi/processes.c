/* SPDX-License-Identifier: BSD-3-Clause */
/* processes.c - jobs that end otherwise than by MPI_Finalize, have threads, children
   or no MPI_Init: what its first argument says. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRITES 20
#define THREADS 4

static int rank;

static void must(int ret)
{
	if (ret != MPI_SUCCESS)
		printf("rank %d: MPI returned %d\n", rank, ret);
}

/* WRITES of 8 bytes each, every other one nonblocking, to a file of its own. */
static void *some(void *name)
{
	char eight[8];
	MPI_Status status;
	MPI_Request request;
	MPI_File fh;
	int n;

	memset(eight, 'x', sizeof(eight));
	must(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh));
	for (int i = 0; i < WRITES; i += 2) {
		must(MPI_File_write_at(fh, 8 * i, eight, 8, MPI_CHAR, &status));
		must(MPI_File_iwrite_at(fh, 8 * i + 8, eight, 8, MPI_CHAR, &request));
		must(MPI_Wait(&request, &status));
		MPI_Get_count(&status, MPI_CHAR, &n);
		if (n != 8)
			printf("rank %d: wrote %d bytes of 8\n", rank, n);
	}
	must(MPI_File_close(&fh));
	return NULL;
}

static void write_own(const char *what)
{
	char name[100];

	snprintf(name, sizeof(name), "%s-%d.data", what, rank);
	some(name);
}

/* One rank ends like that; the others are in a call that would never return. */
static void end(const char *how)
{
	char c;

	write_own(how);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank != 1) {
		MPI_Recv(&c, 1, MPI_CHAR, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		return;
	}
	if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (!strcmp(how, "exit"))
		_exit(9);
	raise(!strcmp(how, "segv") ? SIGSEGV : SIGKILL);
}

static void threads(void)
{
	pthread_t thread[THREADS];
	char name[THREADS][100];

	/* MPICH 4.0 does not withstand that its MPI-IO is used first by several at once */
	MPI_File_delete("none", MPI_INFO_NULL);
	for (int i = 0; i < THREADS; i++) {
		snprintf(name[i], sizeof(name[i]), "threads-%d-%d.data", rank, i);
		pthread_create(&thread[i], NULL, some, name[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void spawn(char *program)
{
	char *argv[] = {"child", NULL};
	MPI_Comm children;

	write_own("parent");
	must(MPI_Comm_spawn(program, argv, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE));
	MPI_Comm_disconnect(&children);
}

static void child(void)
{
	MPI_Comm parent;

	MPI_Comm_get_parent(&parent);
	write_own("child");
	MPI_Comm_disconnect(&parent);
}

#if MPI_VERSION >= 4
/* MPICH 4.0 does MPI-IO for sessions, but only if there is a world as well. */
static int session(void)
{
	char eight[8] = "12345678";
	MPI_Session s;
	MPI_Group group;
	MPI_Comm comm;
	MPI_File fh;

	must(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
	must(MPI_Group_from_session_pset(s, "mpi://WORLD", &group));
	must(MPI_Comm_create_from_group(group, "t", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
	MPI_Comm_rank(comm, &rank);
	if (MPI_File_open(comm, "session.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh) == MPI_SUCCESS)
		must(MPI_File_close(&fh));
	must(MPI_Init(NULL, NULL));
	must(MPI_File_open(comm, "session.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh));
	must(MPI_File_write_at_all(fh, 8 * rank, eight, 8, MPI_CHAR, MPI_STATUS_IGNORE));
	must(MPI_File_close(&fh));
	must(MPI_Finalize());
	MPI_Group_free(&group);
	MPI_Comm_free(&comm);
	must(MPI_Session_finalize(&s));
	return 4;
}
#else
static int session(void)
{
	return 77;		/* this MPI has none */
}
#endif

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int provided;

	if (!strcmp(what, "none")) {
		const char *number = getenv("OMPI_COMM_WORLD_RANK") ?: getenv("PMI_RANK");
		ssize_t n = write(1, "no MPI_Init\n", 12);
		char c;

		/* MPICH's launcher dies of SIGPIPE if it has nobody to pass the end of its input to */
		while (number && !strcmp(number, "0") && read(0, &c, 1) > 0)
			;
		return n == 12 ? 5 : 99;
	}
	if (!strcmp(what, "session"))
		return session();
	MPI_Init_thread(&argc, &argv, !strcmp(what, "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!strcmp(what, "threads") && provided != MPI_THREAD_MULTIPLE)
		printf("no MPI_THREAD_MULTIPLE\n");
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "spawn"))
		spawn(argv[0]);
	else if (!strcmp(what, "child"))
		child();
	else
		end(what);
	MPI_Finalize();
	return 0;
}
