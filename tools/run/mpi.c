/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi.c - whose MPI a program uses, and so which form of libiotrace.so has
 * wrappers for it: each is made for one MPI's mpi.h.  One that is not the program's
 * does no harm: it notices.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

/* Those that configure found have a library. */
static const struct mpi {
	const char *name;
	const char *library;		/* as programs that were linked with it name it */
	const char *launcher;		/* what mpirun is */
	const char *rank;		/* what it puts into the environment */
} mpis[] = {
	{"openmpi", IOT_MPI_OPENMPI, "orterun", "OMPI_COMM_WORLD_RANK"},
	{"mpich", IOT_MPI_MPICH, "mpiexec.hydra", "PMI_RANK"},
};
#define N_MPIS (sizeof(mpis) / sizeof(*mpis))

const char *iot_run_mpi_named(const char *name)
{
	char known[100] = "";

	for (size_t i = 0; i < N_MPIS; i++) {
		if (!*mpis[i].library)
			continue;
		if (!strcmp(mpis[i].name, name))
			return mpis[i].name;
		strcat(strcat(known, mpis[i].name), ", ");
	}
	if (strcmp(name, "none") != 0)
		iot_run_die(EXIT_OURS, "--mpi=%s: iotrace has not been configured with that one (%sor none)", name, known);
	return NULL;
}

const char *iot_run_mpi_around(void)
{
	for (size_t i = 0; i < N_MPIS; i++)
		if (*mpis[i].library && getenv(mpis[i].rank))
			return mpis[i].name;
	return NULL;
}

/* The environment, but for what would have the loader say more, and say it twice. */
static char **quiet_environment(void)
{
	size_t n = 0;
	char **env;

	while (environ[n])
		n++;
	env = calloc(n + 1, sizeof(*env));
	if (!env)
		iot_run_die(EXIT_OURS, "out of memory");
	n = 0;
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "LD_DEBUG", 8) != 0 && strncmp(*e, "LD_AUDIT=", 9) != 0)
			env[n++] = *e;
	return env;
}

/* What the loader would load, a line "NAME => PATH (ADDRESS)" each; it does not run
   the program.  Returns its pid, -1 if it can't be had. */
static pid_t list_libraries(const char *loader, const char *path, int *from)
{
	char *argv[] = {(char *)loader, (char *)"--list", (char *)path, NULL};
	char **env = quiet_environment();
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;
	int ends[2];

	if (!pipe(ends)) {
		posix_spawn_file_actions_init(&actions);
		posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
		posix_spawn_file_actions_addclose(&actions, ends[0]);
		posix_spawn_file_actions_addclose(&actions, ends[1]);
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
		if (posix_spawn(&pid, loader, &actions, NULL, argv, env))
			pid = -1;
		posix_spawn_file_actions_destroy(&actions);
		close(ends[1]);
		*from = ends[0];
		if (pid < 0)
			close(ends[0]);
	}
	free(env);
	return pid;
}

/* Whose library, or launcher, the line names; NULL: of no MPI that we know. */
static const char *named_in(const char *line)
{
	line += strspn(line, " \t");
	for (size_t i = 0; i < N_MPIS; i++) {
		const struct mpi *m = &mpis[i];
		size_t n = strlen(m->library);

		if (n && !strncmp(line, m->library, n) && line[n] == ' ')
			return m->name;
	}
	return NULL;
}

static const char *launcher_of(const char *path)
{
	char file[PATH_MAX];
	const char *name;

	if (!realpath(path, file))
		return NULL;
	name = strrchr(file, '/') + 1;
	for (size_t i = 0; i < N_MPIS; i++)
		if (*mpis[i].library && !strcmp(name, mpis[i].launcher))
			return mpis[i].name;
	return NULL;
}

void iot_run_libraries(const char *loader, const char *path, iot_run_line_fn *fn, void *arg)
{
	void (*old)(int);
	size_t size = 0;
	char *line = NULL;
	FILE *list;
	pid_t pid;
	int from = -1;

	/* the program is to find no trace of our child: no signal, no time used */
	old = signal(SIGCHLD, SIG_IGN);
	pid = list_libraries(loader, path, &from);
	list = pid < 0 ? NULL : fdopen(from, "r");
	while (list && getline(&line, &size, list) > 0)
		fn(arg, line);
	free(line);
	if (list)
		fclose(list);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	signal(SIGCHLD, old);
}

static void note_named(void *arg, char *line)
{
	const char **mpi = arg;

	if (!*mpi)
		*mpi = named_in(line);
}

const char *iot_run_mpi_of(const char *loader, const char *path)
{
	const char *mpi = launcher_of(path);

	if (!mpi)
		iot_run_libraries(loader, path, note_named, &mpi);
	return mpi;
}
