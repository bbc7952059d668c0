/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * invalid.c - calls of MPI with arguments that are none (cases.h, by invalid.awk), each in
 * a process of its own, and what came of it: the class of the error, how often the
 * program's error handler was called and with which class, or what ended the process.
 *
 *	invalid counted|fatal|before|after STEP [FIRST]		every STEP-th, from FIRST on
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static char buf[256];
static int counts[4] = { 1, 1, 1, 1 }, at[4], number;
static MPI_Aint aints[4];
static MPI_Datatype types[4], uncommitted;
static MPI_Comm cart, made;
static MPI_Group group;
static MPI_File fh;
static MPI_Win win;
static MPI_Request request, lasting;
static MPI_Message message;
static MPI_Status status;
static MPI_Offset offset;
static MPI_Count large;
static MPI_Comm no_comm;
static MPI_File no_file;
static MPI_Win no_win;
static int handled, classes;

static void handle(int error)
{
	int class = -1;

	MPI_Error_class(error, &class);
	handled++;
	classes = classes * 31 + class;
}

static void on_comm(MPI_Comm *comm, int *error, ...)
{
	(void)comm;
	handle(*error);
}

static void on_file(MPI_File *file, int *error, ...)
{
	(void)file;
	handle(*error);
}

static void on_win(MPI_Win *which, int *error, ...)
{
	(void)which;
	handle(*error);
}

static const char *const text[] = {
#define CASE(number, text, call) [number] = text,
#include "cases.h"
#undef CASE
};
#define N (int)(sizeof(text) / sizeof(*text))

/*
 * Cases that are tried each time: MPI takes what is none for one.  What MPI refuses is left to
 * the steps, since Open MPI waits in vain to be ended for it.
 */
static bool is_taken(const char *said)
{
	static const char *const calls[] = {
		"MPI_File_write_ordered_end ", "MPI_Win_post argument 1", "MPI_Win_start argument 1"
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strncmp(said, calls[i], strlen(calls[i])))
			return true;
	return false;
}

static int call(int which)
{
	switch (which) {
#define CASE(number, text, call) case number: return call;
#include "cases.h"
#undef CASE
	default: return -1;
	}
}

static void nothing(void)
{
	no_comm = cart = MPI_COMM_NULL;
	no_file = fh = MPI_FILE_NULL;
	no_win = win = MPI_WIN_NULL;
	request = lasting = MPI_REQUEST_NULL;
	message = MPI_MESSAGE_NULL;
	group = MPI_GROUP_NULL;
	uncommitted = MPI_DATATYPE_NULL;
	for (int i = 0; i < 4; i++)
		types[i] = MPI_INT;
}

static void something(bool counted)
{
	MPI_Errhandler handler;
	int one = 1, zero = 0;

	MPI_Cart_create(MPI_COMM_SELF, 1, &one, &zero, 0, &cart);
	MPI_Comm_group(MPI_COMM_SELF, &group);
	MPI_Type_contiguous(2, MPI_INT, &uncommitted);
	MPI_Recv_init(buf, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &lasting);
	if (MPI_File_open(MPI_COMM_SELF, "invalid.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh))
		exit(98);
	if (MPI_Win_create(buf, sizeof(buf), 1, MPI_INFO_NULL, MPI_COMM_SELF, &win))
		exit(98);
	if (!counted)
		return;
	MPI_Comm_create_errhandler(on_comm, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	MPI_Comm_set_errhandler(cart, handler);
	MPI_File_create_errhandler(on_file, &handler);
	MPI_File_set_errhandler(fh, handler);
	MPI_File_set_errhandler(MPI_FILE_NULL, handler);
	MPI_Win_create_errhandler(on_win, &handler);
	MPI_Win_set_errhandler(win, handler);
}

/* In a child: what MPI says of its end, without what differs between any two runs. */
static void try(int which, bool with_class)
{
	int ret, class = -1;

	alarm(20);
	/* a call that waits for ever does so busily, as a rule */
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_usec = 300000 }, NULL);
	ret = call(which);
	if (with_class && ret > 0)
		MPI_Error_class(ret, &class);
	else
		class = ret;
	printf("class %d, handled %d (%d)", class, handled, classes);
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *when = argc > 2 ? argv[1] : "counted";
	int step = argc > 2 ? atoi(argv[2]) : 1, first = argc > 3 ? atoi(argv[3]) : 1;
	bool inside = strcmp(when, "before") && strcmp(when, "after");

	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	nothing();
	if (strcmp(when, "before") != 0)
		MPI_Init(NULL, NULL);
	if (inside)
		something(!strcmp(when, "counted"));
	if (!strcmp(when, "after"))
		MPI_Finalize();
	for (int i = first; i < N; i++) {
		int end;

		if ((i - first) % step && !is_taken(text[i]))
			continue;
		printf("%d %s: ", i, text[i]);
		fflush(stdout);
		if (!fork())
			try(i, inside);
		wait(&end);
		printf(" end %d\n", WIFSIGNALED(end) ? -WTERMSIG(end) : WEXITSTATUS(end));
	}
	fflush(stdout);
	_exit(0);
}
