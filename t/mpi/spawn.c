/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spawn.c - processes that come later: starts two of itself, and says what it calls.
 *
 *	spawn		1 rank; its process id is in pid
 */
#include <unistd.h>

#include "say.h"

int main(int argc, char **argv)
{
	static char child[] = "child";
	char *args[] = { child, NULL };
	MPI_Comm both, merged;

	MPI_Init(&argc, &argv);
	if (argc > 1) {
		MPI_Comm_get_parent(&both);
		MPI_Barrier(both);
		MPI_Intercomm_merge(both, 1, &merged);
		MPI_Comm_disconnect(&both);
		MPI_Finalize();
		return 0;
	}
	said = fopen("pid", "w");
	say("%d", (int)getpid());
	fclose(said);
	said = fopen("said.0", "w");
	MPI_Comm_spawn(argv[0], args, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both, MPI_ERRCODES_IGNORE);
	say("MPI_Comm_spawn comm=world newcomm=0|?*2#1 command=%s root=0", argv[0]);
	MPI_Barrier(both);
	say("MPI_Barrier comm=0|?*2#1");
	MPI_Intercomm_merge(both, 0, &merged);
	say("MPI_Intercomm_merge comm=0|?*2#1 newcomm=0,?*2#1");
	MPI_Comm_disconnect(&both);
	say("MPI_Comm_disconnect comm=0|?*2#1");
	fclose(said);
	MPI_Finalize();
	return 0;
}
