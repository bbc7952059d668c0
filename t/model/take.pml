/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * take.pml - how tasks that come and go have each a number to themselves, and nothing of
 * the one before is lost, for spin: queues of lib/core/queue.c, windows of window-pool.c, structs of
 * lib/core/thread-memory.c.
 *
 * A number is a window's, and a task a process, which may be killed at any moment; or it
 * is a struct's, and the task a thread, which may still make calls when it has said that
 * its work is done.  Whoever takes a number puts it into the queue at once: others look at
 * it, and ask the kernel whether its owner is no more.  What is of no use yet goes to the
 * other one of two stacks; so may a window with a record, until there are more of them.
 * Then one is taken, another only released, and the records of both are copied to the log.
 * In the windows they stay: that of the one taken until it is begun.
 *
 * What is checked is chosen by t/model/model.t with -D:
 *	TASKS		one after the other or side by side
 *	OLD		so many of them are no more and have left a number each, with a record
 *	KILLS		so many of the others are killed
 *	TOGETHER	windows wait to be copied together
 *	FLUSH		they copy their records to the log before they end
 *	MUTANT=NAME	one of the mistakes below is made
 *	WITNESS		claims that no number is ever taken over, which has to be refuted
 */
#ifndef KILLS
#define KILLS 0
#endif

/* mistakes */
#define NONE 0
#define NOT_ASKED 1		/* whether the owner is no more is not asked */
#define NOT_COUNTED 2		/* a number that left the queue and came back is not noticed */
#define SLOTS_IGNORED 3		/* nor a call that was in progress when its owner was killed */
#define COPY_UNMARKED 4		/* nor records that its owner was copying then */
#define SAID_LAST 5		/* a number's owner is stored after it was put into the queue */
#define FLAGS_FIRST 6		/* what the owner says is read before the kernel is asked */
#define OWNER_KEPT 7		/* what was only copied and released still has its owner */
#ifndef MUTANT
#define MUTANT NONE
#endif

#define NOBODY 255
#define TRIES 2

byte top[2];			/* of the stacks: a number, plus 1 */
byte count[2];			/* how often that was changed */
byte below[TASKS];		/* the one below it in its stack, plus 1 */
byte turn;			/* low bit: which one is looked at */
byte n_numbers;

byte owner[TASKS];
bool left[TASKS], copies[TASKS];	/* IOT_OWNER_* */
bool gone[TASKS];		/* tasks that are no more, as the kernel says */
byte user[TASKS];		/* who stores there */

/* of a window: whose record lies there, and whose call is in progress */
byte record[TASKS], slot[TASKS];
byte copied[TASKS];		/* how often a task's record is in the log */
bool recorded[TASKS], begun[TASKS];
byte kills = KILLS;
byte n_ended;

/* A step, before which the task may be killed. */
#define STEP(what)                                               \
	if                                                       \
	:: atomic { what }                                       \
	:: atomic { kills > 0 -> kills--; goto dead }            \
	fi

#define SAME(s) (top[s] == was && (count[s] == times || MUTANT == NOT_COUNTED))

inline put(n, s) {
	do
	:: atomic { was = top[s]; times = count[s] };
	   below[n] = was;
	   atomic {
		if
		:: SAME(s) -> top[s] = n + 1; count[s]++; break
		:: else
		fi
	   }
	od
}

/* n: NOBODY if there is none */
inline get(n) {
	n = NOBODY;
	do
	:: now = turn;
	   atomic { was = top[now & 1]; times = count[now & 1] };
	   if
	   :: was == 0 ->
		if
		:: top[1 - (now & 1)] == 0 -> break
		:: else -> atomic { if :: turn == now -> turn = now + 1 :: else fi }
		fi
	   :: else ->
		next = below[was - 1];
		atomic {
			if
			:: SAME(now & 1) -> n = was - 1; top[now & 1] = next; count[now & 1]++; break
			:: else
			fi
		}
	   fi
	od
}

/* Copies what lies there, of its own.  The reader has the window for a copy that is of it; two copies
   it cannot tell from damage. */
inline copy(n) {
	STEP(copies[n] = MUTANT != COPY_UNMARKED);
	STEP(if :: record[n] != NOBODY -> copied[record[n]]++ :: else fi);
	STEP(record[n] = NOBODY);
	STEP(copies[n] = false)
}

/* Looks at a number that was taken out of the queue: whether it is free. */
inline look_at(n) {
	if
	:: MUTANT == FLAGS_FIRST -> atomic { said = left[n]; copying = copies[n] }
	:: else
	fi;
	whose = owner[n];
	free = whose == NOBODY || gone[whose] || MUTANT == NOT_ASKED;
	if
	:: MUTANT != FLAGS_FIRST -> atomic { said = left[n]; copying = copies[n] }
	:: else
	fi;
	if
	:: !free -> put(n, 1 - (turn & 1))
	:: else ->
		/* if not, it is left where it is */
		free = whose == NOBODY || (!copying && (said || slot[n] == NOBODY || MUTANT == SLOTS_IGNORED))
	fi
}

/* The record that lies there, of another. */
inline copy_left(n) {
	STEP(if :: record[n] != NOBODY -> copied[record[n]]++ :: else fi)
}

proctype task(byte me)
{
	byte n, m = NOBODY, was, times, now, next, tries;
	byte whose, from = NOBODY;
	bool said, copying, free, mine;

	do
	:: tries < TRIES ->
		get(n);
		if
		:: n == NOBODY -> tries = TRIES
		:: else ->
			look_at(n);
			if
#ifdef TOGETHER
			:: free && whose != NOBODY -> atomic { put(n, 1 - (turn & 1)) }
#endif
			:: free -> mine = true; from = whose; break
			:: !free
			fi;
			tries++
		fi
	:: else ->
		atomic { n = n_numbers; n_numbers++ };
		break
	od;
#ifdef WITNESS
	assert(!mine);
#endif
	if
	:: MUTANT == SAID_LAST ->
		put(n, turn & 1);
		atomic { owner[n] = me; left[n] = false; copies[n] = true }
	:: else ->
		STEP(owner[n] = me; left[n] = false; copies[n] = MUTANT != COPY_UNMARKED);
		put(n, turn & 1)
	fi;
	user[n] = me;
#ifndef TOGETHER
	copy_left(n);
#else
	/* with what lies in another one */
	if
	:: from != NOBODY ->
		atomic {
			get(m);
			if
			:: m != NOBODY ->
				look_at(m);
				if
				:: free -> owner[m] = me; left[m] = false; copies[m] = true
				:: else -> m = NOBODY
				fi
			:: else
			fi
		};
		/* which may be nobody's, and have been copied */
		if
		:: m != NOBODY && whose != NOBODY -> copy_left(m)
		:: else
		fi;
		copy_left(n);
		if
		:: m != NOBODY ->
			STEP(copies[m] = false; owner[m] = (MUTANT == OWNER_KEPT -> me : NOBODY));
			atomic { put(m, turn & 1) }
		:: else
		fi
	:: else
	fi;
	/* what is not needed any more would only make states differ */
	atomic { m = 0; was = 0; times = 0; now = 0; next = 0; tries = 0; whose = 0; from = 0; said = false;
		 copying = false; free = false; mine = false };
#endif
	/* it is begun */
	STEP(record[n] = NOBODY);
	STEP(slot[n] = NOBODY);
	STEP(copies[n] = false);
	/* a call */
	STEP(slot[n] = me; begun[me] = true);
	assert(user[n] == me);
	STEP(record[n] = me; recorded[me] = true);
	STEP(slot[n] = NOBODY);
#ifdef FLUSH
	copy(n);
#endif
	STEP(left[n] = true);
	assert(user[n] == me);
dead:
	atomic {
		gone[me] = true;
		n_ended++
	}
}

/* No call is missing, whose record or beginning was there, and no record is there twice. */
inline look() {
	n = 0;
	do
	:: n < TASKS ->
		assert(copied[n] <= 1);
		found = copied[n] > 0;
		i = 0;
		do
		:: i < n_numbers ->
			found = found || record[i] == n || (slot[i] == n && !recorded[n]);
			i++
		:: else -> break
		od;
		assert(found || !begun[n]);
		n++
	:: else -> break
	od
}

init {
	byte n, i;
	bool found;

	atomic {
		do
		:: n < TASKS ->
			below[n] = 0;
			owner[n] = (n < OLD -> n : NOBODY);
			left[n] = n < OLD;
			user[n] = NOBODY;
			record[n] = (n < OLD -> n : NOBODY);
			begun[n] = n < OLD;
			recorded[n] = n < OLD;
			slot[n] = NOBODY;
			gone[n] = n < OLD;
			if
			:: n < OLD -> below[n] = n
			:: else
			fi;
			n++
		:: else -> break
		od;
		top[0] = OLD;
		n_numbers = OLD;
		n = OLD;
		do
		:: n < TASKS -> run task(n); n++
		:: else -> break
		od
	};
	n_ended == TASKS - OLD;
	look()
}
