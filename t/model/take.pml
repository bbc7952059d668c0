/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * take.pml - how threads that come and go have each a struct of the recorder's to
 * themselves, for spin: take() and iot_thread_gone of lib/core/thread.c.
 *
 * A thread whose work is done says so in its struct, but may still make calls until
 * the kernel says that it is no more.
 *
 * What is checked is chosen by t/model.t with -D:
 *	THREADS		one after the other or side by side
 *	MUTANT=NAME	one of the mistakes below is made
 *	WITNESS		claims that no struct is ever taken over, which has to be refuted
 */

/* mistakes */
#define NONE 0
#define NOT_ASKED 1		/* whether the thread is no more is not asked */
#define ASKED_BEFORE 2		/* it is asked before the struct is claimed */
#define ANSWER_KEPT 3		/* a struct that was claimed in vain is marked as free */
#ifndef MUTANT
#define MUTANT NONE
#endif

mtype = { FREE, TAKEN, ENDED, ASKED };
mtype in_use[THREADS];
byte tid[THREADS];		/* whose a struct is: of an ENDED one, to ask for */
bool gone[THREADS];		/* threads that are no more */
byte n_structs;			/* the list */
byte owner[THREADS];		/* who would store records there */

inline claim(new) {
	atomic {
		claimed = in_use[i] == was;
		if
		:: claimed -> in_use[i] = new
		:: else
		fi
	}
}

/* take_over */
inline take_over() {
	was = in_use[i];
	claimed = false;
	if
	:: was == ENDED && MUTANT == ASKED_BEFORE ->
		if
		:: gone[tid[i]] -> claim(TAKEN)
		:: else
		fi
	:: was == ENDED && MUTANT != ASKED_BEFORE ->
		claim(ASKED);
		if
		:: claimed && !gone[tid[i]] && MUTANT != NOT_ASKED ->
			in_use[i] = (MUTANT == ANSWER_KEPT -> FREE : ENDED);
			claimed = false
		:: claimed && (gone[tid[i]] || MUTANT == NOT_ASKED) -> in_use[i] = TAKEN
		:: else
		fi
	:: was == FREE -> claim(TAKEN)
	:: else
	fi
}

inline make_call() {
	assert(owner[i] == _pid)
}

proctype thread()
{
	mtype was;
	bool claimed;
	byte i;

	do
	:: i < n_structs ->
		take_over();
		if
		:: claimed -> break
		:: else -> i++
		fi
	:: else ->
		atomic {
			i = n_structs;
			n_structs++;
			in_use[i] = TAKEN
		}
		break
	od;
#ifdef WITNESS
	assert(i == _pid - 1 || !claimed);
#endif
	owner[i] = _pid;
	tid[i] = _pid - 1;
	make_call();
	in_use[i] = ENDED;
	make_call();
	gone[_pid - 1] = true
}

init {
	byte n;

	atomic {
		do
		:: n < THREADS ->
			in_use[n] = FREE;
			run thread();
			n++
		:: else -> break
		od
	}
}
