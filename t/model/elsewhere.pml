/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elsewhere.pml - a call that another thread ends while the thread that began it moves to a
 * larger window, or takes the call for abandoned, for spin: take_over() of lib/core/moved.c,
 * iot_slots_copied() of places.c and abandon_one() of abandon.c.
 *
 * A window that was left may become that of another thread.  Whatever happens in whatever
 * order, the call is recorded once.
 *
 * What is checked is chosen by t/model/model.t with -D:
 *	MUTANT=NAME	one of the mistakes below is made
 *	WITNESS		claims that no call is ever taken from a window that has been left,
 *			which has to be refuted
 */

/* mistakes */
#define NONE 0
#define COPY_TRUSTED 1		/* the new window's slots are believed as they were copied */
#define LEFT_UNMARKED 2		/* the old window's slots don't say that they are left */
#define OTHERS_BELIEVED 3	/* the window is not compared again: it may be another thread's */
#define FRAME_KEPT 4		/* an abandoned call can still be found by its frame */
#ifndef MUTANT
#define MUTANT NONE
#endif

#define SIZES 3
#define MOVES (SIZES - 1)

/* starts */
#define OURS 10
#define ABANDONED (OURS + 1)
#define OTHERS 20
#define GONE 1
/* frames */
#define OUR_FRAME 1
#define OTHER_FRAME 2
#define NO_FRAME 3

byte start[SIZES], frame[SIZES];	/* of one slot of each window */
bit left[SIZES];
byte now, recorded;

proctype owner()
{
	byte was, copy;
	bit abandoned, won;

	do
	:: now < MOVES ->
		copy = start[now];
		start[now + 1] = copy;
		frame[now + 1] = frame[now];
		now = now + 1;
		if
		:: MUTANT == COPY_TRUSTED
		:: MUTANT == LEFT_UNMARKED -> was = start[now - 1]
		:: else ->
			atomic {
				was = start[now - 1];
				start[now - 1] = GONE
			}
		fi;
		if
		:: MUTANT != COPY_TRUSTED && was == 0 && start[now] -> start[now] = 0
		:: else
		fi;
		left[now - 1] = 1
	:: !abandoned ->
		abandoned = 1;
		was = start[now];
		if
		:: was ->
			if
			:: MUTANT != FRAME_KEPT -> frame[now] = NO_FRAME
			:: else
			fi;
			won = 0;
			atomic {
				if
				:: start[now] == was -> start[now] = ABANDONED; won = 1
				:: else
				fi
			}
			if
			:: won ->
				recorded++;
				start[now] = 0
			:: else
			fi
		:: else
		fi
	:: now == MOVES -> break
	od
}

proctype others()
{
	byte i;

	do
	:: i < SIZES && left[i] ->
		start[i] = 0;
		frame[i] = OTHER_FRAME;
		start[i] = OTHERS;
		i++
	:: i < SIZES -> i++
	:: i == SIZES -> break
	od
}

proctype ends()
{
	byte win, began, at;
	bit took;

again:
	win = now;
	began = start[win];
	if
	:: began == GONE -> goto again
	:: else
	fi;
	at = frame[win];
	if
	:: now != win && MUTANT != OTHERS_BELIEVED -> goto again
	:: else
	fi;
	if
	:: began && at == OUR_FRAME ->
		atomic {
			if
			:: start[win] == began -> start[win] = 0; took = 1
			:: else
			fi
		}
		if
		:: took ->
			assert(began != OTHERS);
#ifdef WITNESS
			assert(now == win);
#endif
			recorded++
		:: else -> goto again
		fi
	:: else
	fi
}

init {
	atomic {
		start[0] = OURS;
		frame[0] = OUR_FRAME;
		run owner();
		run others();
		run ends()
	}
	_nr_pr == 1;
	assert(recorded == 1)
}
