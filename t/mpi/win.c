/* SPDX-License-Identifier: BSD-3-Clause */
/* win.c - memory of others, by all ways to synchronise; 2 ranks.  It says what it calls. */
#include "say.h"

static int me, other, ops;
static long mine[32], data[32], back[32];

static void fences(MPI_Win win)
{
	MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win);
	say("MPI_Win_fence win=world:1 assertion=NOSTORE|NOPRECEDE");
	MPI_Put(data, 2, MPI_LONG, other, 5, 2, MPI_LONG, win);
	say("MPI_Put win=world:1 target_rank=%d target_disp=5 size=16", other);
	MPI_Get(back, 24, MPI_BYTE, other, 9, 3, MPI_LONG, win);
	say("MPI_Get win=world:1 target_rank=%d target_disp=9 size=24", other);
	MPI_Accumulate(data, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, MPI_SUM, win);
	say("MPI_Accumulate win=world:1 target_rank=-2 target_disp=0 size=0");
	MPI_Win_fence(0, win);
	say("MPI_Win_fence win=world:1");
}

static void groups(MPI_Win win)
{
	MPI_Group world, they;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &they);
	if (me) {
		MPI_Win_post(they, MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
		say("MPI_Win_post win=world:1 group=0 assertion=NOSTORE|NOPUT");
		MPI_Win_wait(win);
		say("MPI_Win_wait win=world:1");
	} else {
		MPI_Win_start(they, 0, win);
		say("MPI_Win_start win=world:1 group=1");
		MPI_Get(back, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
		say("MPI_Get win=world:1 target_rank=1 target_disp=0 size=8");
		MPI_Win_complete(win);
		say("MPI_Win_complete win=world:1");
	}
	MPI_Group_free(&they);
	MPI_Group_free(&world);
}

static void locks(MPI_Win win)
{
	MPI_Request r;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
	say("MPI_Win_lock win=world:1 lock=exclusive target_rank=%d", other);
	MPI_Put(data, 1, MPI_LONG, other, 1, 1, MPI_LONG, win);
	say("MPI_Put win=world:1 target_rank=%d target_disp=1 size=8", other);
	MPI_Win_flush(other, win);
	say("MPI_Win_flush win=world:1 target_rank=%d", other);
	MPI_Win_unlock(other, win);
	say("MPI_Win_unlock win=world:1 target_rank=%d", other);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);
	say("MPI_Win_lock win=world:1 lock=shared assertion=NOCHECK target_rank=0");
	MPI_Win_flush_local(0, win);
	say("MPI_Win_flush_local win=world:1 target_rank=0");
	MPI_Win_unlock(0, win);
	say("MPI_Win_unlock win=world:1 target_rank=0");
	MPI_Barrier(MPI_COMM_WORLD);
	say("MPI_Barrier comm=world");
	MPI_Win_lock_all(0, win);
	say("MPI_Win_lock_all win=world:1");
	MPI_Get_accumulate(NULL, 0, MPI_LONG, back, 2, MPI_LONG, other, 3, 2, MPI_LONG, MPI_NO_OP, win);
	say("MPI_Get_accumulate win=world:1 target_rank=%d target_disp=3 size=16", other);
	MPI_Fetch_and_op(data, back + 8, MPI_LONG, other, 4, MPI_SUM, win);
	say("MPI_Fetch_and_op win=world:1 target_rank=%d target_disp=4 size=8", other);
	MPI_Compare_and_swap(data, data + 1, back + 9, MPI_LONG, other, 6, win);
	say("MPI_Compare_and_swap win=world:1 target_rank=%d target_disp=6 size=8", other);
	MPI_Rput(data, 4, MPI_LONG, other, 20, 4, MPI_LONG, win, &r);
	say("MPI_Rput win=world:1 target_rank=%d target_disp=20 size=32 op=%d", other, ++ops);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	say("MPI_Wait comm=world peer=%d size=32 op=%d issued=MPI_Rput ret=32", other, ops);
	MPI_Rget(back, 2, MPI_LONG, other, 28, 2, MPI_LONG, win, &r);
	say("MPI_Rget win=world:1 target_rank=%d target_disp=28 size=16 op=%d", other, ++ops);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	say("MPI_Wait comm=world peer=%d size=16 op=%d issued=MPI_Rget ret=16", other, ops);
	MPI_Win_sync(win);
	say("MPI_Win_sync win=world:1");
	MPI_Win_flush_all(win);
	say("MPI_Win_flush_all win=world:1");
	MPI_Win_unlock_all(win);
	say("MPI_Win_unlock_all win=world:1");
}

int main(int argc, char **argv)
{
	MPI_Win win, another;
	void *base;

	me = say_begin(&argc, &argv);
	other = 1 - me;
	MPI_Win_create(mine, sizeof(mine), sizeof(*mine), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	say("MPI_Win_create comm=world win=world:1 size=%d", (int)sizeof(mine));
	fences(win);
	groups(win);
	MPI_Barrier(MPI_COMM_WORLD);
	say("MPI_Barrier comm=world");
	locks(win);
	MPI_Win_allocate(80, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &another);
	say("MPI_Win_allocate comm=world win=world:2 size=80");
	MPI_Win_free(&win);
	say("MPI_Win_free win=world:1");
	MPI_Win_fence(0, another);
	say("MPI_Win_fence win=world:2");
	MPI_Win_free(&another);
	say("MPI_Win_free win=world:2");
	MPI_Win_allocate_shared(160, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
	say("MPI_Win_allocate_shared comm=world win=world:3 size=160");
	MPI_Win_free(&win);
	say("MPI_Win_free win=world:3");
	fclose(said);
	MPI_Finalize();
	return 0;
}
