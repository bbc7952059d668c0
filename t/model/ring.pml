/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.pml - how threads that share an io_uring record each request once, as the kernel took it,
 * and its completion as that of the same operation, for spin: lib/wrap/uring-submit.c and
 * uring-complete.c.
 *
 * Each call puts a request into the queue, and submits.  The kernel may take fewer than it is
 * asked for; what is left over is submitted by a later call.  The program may have made another
 * request of it by then, if no call is in progress; other threads wait then until that is submitted.
 *
 * What is checked is chosen by t/model/model.t with -D:
 *	CALLERS		threads, which make one call each
 *	CALLS		but so many the first of them
 *	MUTANT=NAME	one of the mistakes below is made
 *	WITNESS		claims that nothing left over is ever read anew, which has to be refuted
 */
/* mistakes */
#define NONE 0
#define WITHDRAWN 1		/* what was not taken is no longer claimed, if no call was in progress at a look */
#define KEPT_READY 2		/* an entry is read anew while others may record it */
#define TAKEN_FIRST 3		/* how far the kernel is is asked before the entry is made unready */
#define UNREAD_UNKNOWN 4	/* a completion whose request is still to be read is of no operation */
#define FOUND_ONCE 5		/* and it is not looked for again if that was read meanwhile */
#define HEAD_IGNORED 6		/* nor behind that */
#define GONE_IGNORED 7		/* an entry is read anew of which the operation has ended */
#ifndef MUTANT
#define MUTANT NONE
#endif

#define REQUESTS (CALLERS + CALLS - 1)

/* the queue, and the program's other requests in the place of those */
byte tail, head;
bool other[REQUESTS], took[REQUESTS];
byte calls;			/* in progress */
bool waits;
/* completions */
byte ended[REQUESTS];
byte n_ended, seen;
bool reader;
/* ours */
byte claimed, recorded, inside;
byte left;			/* those before it were claimed when no call was in progress */
bool ready[REQUESTS];		/* the entry, and what is in it */
bool entry_other[REQUESTS];
byte entry_number[REQUESTS];
byte in_flight[REQUESTS];	/* its operation's number in the table; 0: it is not there */
byte last_number;
/* the log */
byte number[REQUESTS], completion[REQUESTS];
byte n_done;

inline record() {
	at = recorded;
	end = head;
	do
	:: at < end && at < claimed && ready[at] ->
		/* other threads may change it between these */
		copy_other = entry_other[at];
		copy_number = entry_number[at];
		atomic {
			if
			:: recorded == at ->
				recorded++;
				/* once, as the kernel took it */
				assert(!number[at] && copy_other == took[at]);
				number[at] = copy_number;
				at++
			:: else -> at = recorded
			fi
		}
	:: else -> break
	od
}

inline read_entry(i) {
	atomic {
		last_number++;
		entry_number[i] = last_number;
		in_flight[i] = last_number
	};
	entry_other[i] = other[i];
	ready[i] = true
}

/* mine: it may be read anew, and nobody finds its operation any more */
inline take_back(i) {
	if
	:: MUTANT == TAKEN_FIRST -> mine = head <= i
	:: else -> mine = true
	fi;
	atomic { mine = mine && ready[i]; ready[i] = ready[i] && (!mine || MUTANT == KEPT_READY) };
	if
	:: mine ->
		if
		:: MUTANT != TAKEN_FIRST && MUTANT != HEAD_IGNORED -> mine = head <= i
		:: else
		fi;
		/* another thread has seen its end if it is gone */
		if
		:: mine -> atomic { mine = in_flight[i] || MUTANT == GONE_IGNORED; in_flight[i] = 0 }
		:: else
		fi;
		ready[i] = !mine || ready[i]
	:: else
	fi
}

inline read_again() {
	at = head;
	end = left;
	do
	:: at < end ->
		take_back(at);
		if
		:: mine ->
#ifdef WITNESS
			assert(false);
#endif
			read_entry(at)
		:: else
		fi;
		at++
	:: else -> break
	od
}

inline claim() {
	do
	:: at = claimed;
	   end = tail;
	   end = (end > at + most -> at + most : end);
	   /* another call has claimed it, or the kernel took what nobody claimed */
	   assert(head <= at || at != claimed);
	   if
	   :: end <= at -> break
	   :: else ->
		atomic {
			if
			:: claimed == at -> claimed = end; mine = true
			:: else -> mine = false
			fi
		};
		if
		:: mine ->
			do
			:: at < end -> read_entry(at); at++
			:: else -> break
			od;
			break
		:: else
		fi
	   fi
	od
}

inline withdraw() {
	at = recorded;
	end = claimed;
	if
	:: at < end && inside == 0 ->
		atomic { mine = claimed == end; claimed = (mine -> at : claimed) };
		do
		:: mine && at < end -> in_flight[at] = 0; at++
		:: else -> break
		od
	:: else
	fi
}

inline complete() {
	at = ended[seen];
	atomic { copy_number = in_flight[at]; in_flight[at] = 0 };
	if
	:: copy_number -> mine = true
	:: else ->
		/* whether it is still to be read; the others that were taken are like it */
		end = recorded;
		mine = true;
		do
		:: MUTANT != UNREAD_UNKNOWN && end < head && end < claimed && mine -> mine = ready[end]; end++
		:: else -> break
		od;
		if
		:: mine && MUTANT != FOUND_ONCE ->
			atomic { copy_number = in_flight[at]; in_flight[at] = 0 }
		:: else
		fi;
		assert(!mine || copy_number)
	fi;
	if
	:: mine -> assert(!completion[at]); completion[at] = copy_number; seen++
	:: else
	fi
}

inline collect() {
	do
	:: seen == n_ended -> break
	:: else ->
		atomic { mine = !reader; reader = true };
		if
		:: !mine -> break
		:: else
		fi;
		do
		:: mine && seen < n_ended -> complete()
		:: else -> break
		od;
		reader = false;
		if
		:: !mine -> break
		:: else
		fi
	od
}

proctype caller(byte count)
{
	byte n, at, end, most, copy_number;
	bool copy_other, mine;

	do
	:: n < count ->
		/* the program: what is left over is submitted with it */
		atomic {
			!waits;
			if
			:: !calls && head < tail -> other[head] = true; waits = true
			:: true
			fi;
			most = (calls -> 1 : tail - head + 1);
			tail++;
			calls++
		};
		atomic { inside++ };
		collect();
		record();
		read_again();
		claim();
		do
		:: atomic { most > 0 && head < tail -> took[head] = other[head]; ended[n_ended] = head; n_ended++; head++; most-- }
		:: atomic { true -> waits = false; break }
		od;
		record();
		atomic { inside--; mine = inside == 0 };
		if
		:: mine && MUTANT == WITHDRAWN -> withdraw()
		:: mine && MUTANT != WITHDRAWN -> left = claimed
		:: else
		fi;
		collect();
		atomic { calls--; n++; at = 0; end = 0; most = 0; copy_number = 0; copy_other = false; mine = false }
	:: else -> break
	od;
	atomic { n_done++ }
}

init {
	byte n, at, end, copy_number;
	bool copy_other, mine;

	atomic {
		do
		:: n < CALLERS -> run caller((n -> 1 : CALLS)); n++
		:: else -> break
		od
	};
	n_done == CALLERS;
	record();
	collect();
	n = 0;
	do
	:: n < head -> assert(number[n] && number[n] == completion[n]); n++
	:: else -> break
	od
}
