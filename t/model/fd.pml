/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fd.pml - how the log's descriptor moves out of the program's way while threads write by
 * it, for spin: lib/core/logfd.c.
 *
 * Numbers are given to the program again once they are closed: whoever still writes by
 * one then writes into the program's file.
 *
 * What is checked is chosen by t/model/model.t with -D:
 *	USERS		threads that write, each twice
 *	MOVERS		threads that find the program near the log's number, each twice
 *	MUTANT=NAME	one of the mistakes below is made
 *	WITNESS		claims that the log never moves twice, which has to be refuted
 */

/* mistakes */
#define NONE 0
#define CURRENT_UNCHECKED 1	/* a user does not look again whether its slot is the current one */
#define CLOSED_IN_USE 2		/* whoever moves it closes the old one at once */
#define NOT_EXCHANGED 3		/* two may take it on them to close one */
#define RETIRED_FIRST 4		/* the old one is retired before there is another */
#define MOVED_ONTO 5		/* a slot is taken that is not closed yet */
#define READ_FIRST 6		/* the number is read before that is looked at */
#define CHECKED_BEFORE 7	/* whether it is used is looked at before it is taken to be closed */
#ifndef MUTANT
#define MUTANT NONE
#endif

#define LAST 8
byte fd[2];			/* 0: there is none */
byte users[2];
bool retired[2];
byte current;
bool moving;
byte newest = 1;		/* no number comes again here: one that is closed is the program's */
bool closed[LAST];
byte moves;

/* What is retired and used by nobody is closed, by one. */
inline try_to_close(slot) {
	if
	:: MUTANT == CHECKED_BEFORE ->
		mine = users[slot] == 0;
		if
		:: mine ->
			atomic {
				mine = retired[slot];
				retired[slot] = false
			}
		:: else
		fi
	:: MUTANT == NOT_EXCHANGED ->
		mine = users[slot] == 0 && retired[slot];
		if
		:: mine -> retired[slot] = false
		:: else
		fi
	:: else ->
		/* one word has both */
		atomic {
			mine = users[slot] == 0 && retired[slot];
			if
			:: mine -> retired[slot] = false
			:: else
			fi
		}
	fi;
	if
	:: mine ->
		assert(fd[slot] && !closed[fd[slot]]);
		closed[fd[slot]] = true;
		fd[slot] = 0
	:: else
	fi;
	mine = false
}

/* iot_log_used */
inline used(slot) {
	users[slot]--;
	try_to_close(slot)
}

/* iot_log_use, a write, iot_log_used */
proctype user()
{
	byte at, mine_fd, n;
	bool mine;

	do
	:: n < 2 ->
		at = current;
		users[at]++;
		if
		:: MUTANT == READ_FIRST -> mine_fd = fd[at]
		:: else
		fi;
		if
		:: current == at || MUTANT == CURRENT_UNCHECKED ->
			if
			:: MUTANT != READ_FIRST -> mine_fd = fd[at]
			:: else
			fi;
			/* it is to be the log's, and stay so */
			assert(mine_fd && !closed[mine_fd]);
			assert(!closed[mine_fd]);
			used(at);
			n++
		:: else -> used(at)
		fi
	:: else -> break
	od
}

/* iot_log_avoid */
proctype mover()
{
	byte was, other, n;
	bool mine, begun;

	do
	:: n < 2 ->
		atomic {
			begun = !moving;
			moving = true
		}
		if
		:: begun ->
			was = current;
			other = 1 - was;
			if
			:: MUTANT == MOVED_ONTO || (!fd[other] && !users[other]) ->
				if
				:: MUTANT == RETIRED_FIRST ->
					retired[was] = true;
					try_to_close(was)
				:: else
				fi;
				d_step {
					newest++;
					fd[other] = newest
				}
				current = other;
				if
				:: MUTANT == CLOSED_IN_USE ->
					closed[fd[was]] = true;
					fd[was] = 0
				:: MUTANT != RETIRED_FIRST && MUTANT != CLOSED_IN_USE ->
					retired[was] = true;
					try_to_close(was)
				:: else
				fi;
				moves++;
#ifdef WITNESS
				assert(moves < 2);
#endif
			:: else
			fi;
			moving = false
		:: else
		fi;
		n++
	:: else -> break
	od
}

/* When all have come to their end one is open, and no other: what was retired is closed
   by whoever was last. */
active proctype end()
{
	byte n;

	_nr_pr == 1;
	n = 1;
	do
	:: n <= newest ->
		assert(closed[n] == (n != fd[current]));
		n++
	:: else -> break
	od
}

init {
	byte n;

	atomic {
		fd[0] = 1;
		n = 0;
		do
		:: n < USERS ->
			run user();
			n++
		:: else -> break
		od;
		n = 0;
		do
		:: n < MOVERS ->
			run mover();
			n++
		:: else -> break
		od
	}
}
