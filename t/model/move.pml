/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move.pml - how a reader that follows the log finds the window of a stream that moves
 * to larger ones, for spin: look_at_windows and is_whole of reader/follow-log.c.
 *
 * Windows lie in the file in any order.  One that the stream has left may become that
 * of another, of this process or another one.  What a window holds is in follow.pml.
 *
 * What is checked is chosen by t/model/model.t with -D:
 *	MUTANT=NAME	one of the mistakes below is made
 *	WITNESS		claims that no stream is ever found by looking again, which has
 *			to be refuted
 */

/* mistakes */
#define NONE 0
#define LEFT_FIRST 1		/* the old window loses its magic before the new one has one */
#define COPY_LATE 2		/* the new one has it before the old one is copied */
#define LOOKED_ONCE 3		/* the reader does not look again for what it misses */
#define OLD_BELIEVED 4		/* nor minds that it has seen a later block */
#ifndef MUTANT
#define MUTANT NONE
#endif

/* windows that the stream has, one after the other */
#define SIZES 3
#define MOVES (SIZES - 1)
#define OURS 1
#define OTHERS 2

byte place[SIZES];		/* of its windows in the file */
bit magic[SIZES];		/* by place */
byte stream[SIZES], seq[SIZES];
bit left[SIZES];
bit copied[SIZES];		/* by seq: the copy is whole, */
bit reserved[SIZES];		/* and there, as far as a reader sees */
bool moved;			/* as far as it will */

inline copy() {
	reserved[n] = 1;
	copied[n] = 1
}

proctype writer()
{
	byte n;

	do
	:: n < SIZES - 1 ->
		if
		:: MUTANT != COPY_LATE -> copy()
		:: else
		fi;
		if
		:: MUTANT == LEFT_FIRST -> magic[place[n]] = 0
		:: else
		fi;
		atomic {
			stream[place[n + 1]] = OURS;
			seq[place[n + 1]] = n + 1
		}
		magic[place[n + 1]] = 1;
		if
		:: MUTANT == COPY_LATE -> copy()
		:: else
		fi;
		magic[place[n]] = 0;
		left[place[n]] = 1;
		n++
	:: else -> break
	od;
	moved = true
}

proctype others()
{
	byte i;

	do
	:: atomic { i < SIZES && left[i] -> left[i] = 0 }
		atomic {
			stream[i] = OTHERS;
			seq[i] = 0
		}
		magic[i] = 1
	:: i < SIZES -> i++
	:: i == SIZES -> break
	od
}

proctype reader()
{
	byte i, round, now_seq, highest;
	bit there[SIZES];
	bool seen, over;

	do
	:: !over ->
		over = moved;
		/* walk */
		i = 0;
		do
		:: i < SIZES -> there[i] = reserved[i]; i++
		:: else -> break
		od;
		seen = false;
		round = 0;
		do
		:: round <= MOVES && !seen && !(round && MUTANT == LOOKED_ONCE) ->
			i = 0;
			do
			:: i < SIZES ->
				d_step {
					if
					:: magic[i] && stream[i] == OURS &&
					   (seq[i] >= now_seq || MUTANT == OLD_BELIEVED) ->
						now_seq = seq[i];
						seen = true;
						if
						:: now_seq > highest -> highest = now_seq
						:: else
						fi
					:: else
					fi;
					i++
				}
			:: else -> break
			od;
#ifdef WITNESS
			assert(!(seen && round));
#endif
			round++
		:: else -> break
		od;
		/* it lives, and its calls in progress are in a window */
		assert(seen);
		assert(now_seq == highest);
		/* is_whole */
		i = 0;
		do
		:: i < SIZES ->
			assert(!(there[i] && i < now_seq) || copied[i]);
			/* what the window that is there now follows has been copied */
			assert(i >= now_seq || copied[i]);
			i++
		:: else -> break
		od
	:: else -> break
	od
}

init {
	byte a, b;

	atomic {
		select(a : 0 .. 2);
		select(b : 0 .. 2);
		if
		:: a == b -> b = (a + 1) % 3
		:: else
		fi;
		place[0] = a;
		place[1] = b;
		place[2] = 3 - a - b;
		stream[a] = OURS;
		magic[a] = 1;
		run writer();
		run others();
		run reader()
	}
}
