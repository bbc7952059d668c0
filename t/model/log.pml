/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.pml - the protocol by which records get into the log, for spin.
 *
 * Stores of the recorder are steps, in the order in which the functions that are
 * named here make them; everything that may happen in between does: a handler on
 * the same thread (and one on the handler), another thread, the kill, a reader
 * that follows the log.  x86 shows a thread's stores to others in program order,
 * and readers store nothing, so interleaving the steps is all that can happen.
 *
 * A record is two words, a window holds CAP of them, a call's start is its number.
 * Not here: depths (t/step/step.t compares them), forks.
 *
 * What is checked is chosen by t/model/model.t with -D:
 *	THREADS		that record
 *	CALLS		of each thread
 *	HANDLERS	deep, each making one call (one thread only)
 *	FAILS		the write of a copy may fail, and every thread begins with
 *			a definition
 *	TAKEN_OVER	threads run one after another, in the same window
 *	FOLLOW		a reader follows the log; else the process is killed at any
 *			moment and the log is read afterwards
 *	MUTANT=NAME	one of the mistakes below is made
 *	WITNESS		claims that the end is not reached, which has to be refuted
 */
#ifndef HANDLERS
#define HANDLERS 0
#endif
#define CAP 2
#define LEVELS (HANDLERS + 1)
#define IDS (THREADS * (CALLS + 1) + HANDLERS + 1)
#define STREAMS (THREADS + 3 * HANDLERS)
#define COPIES (THREADS * (CALLS + 1))

/* mistakes */
#define NONE 0
#define USED_FIRST 1		/* used is stored before the record */
#define EMPTIED_FIRST 2		/* used = 0, then seq + 1 */
#define SEQ_FIRST 3		/* seq + 1, then used = 0 */
#define SLOT_KEPT 4		/* slots are not cleared */
#define SLOT_EARLY 5		/* slots are cleared before used is stored */
#define START_FIRST 6		/* a slot's start is stored before its call */
#define REUSED_EARLY 7		/* the window is emptied before the copy is written */
#define NOT_BUSY 8		/* handlers are not told that a record is being made */
#define COPY_WINS 9		/* the reader prefers the copy to the window */
#define PLAIN_ADD 10		/* end is read, then stored */
#define RECORDS_UNCHECKED 11	/* a follower does not look at seq after the records */
#define HEADER_UNCHECKED 12	/* nor after the header */
#define COPY_EARLY 13		/* nor waits for the window to go on */
#define HEADER_ONCE 14		/* nor reads a new copy's header again */
#define BASE_LATE 15		/* base is stored after the window's first record */
#define HOLE_LEFT 16		/* a copy whose write failed keeps its magic */
#define MAGIC_KEPT 17		/* a window has its magic while it is made another's */
#ifndef MUTANT
#define MUTANT NONE
#endif

#define BIT(id) (1 << (id))
#define ID(word) ((word) & 31)
#define BASE(word) ((word) >> 5)

/* --- the file ---------------------------------------------------------------- */

typedef block {
	bit magic;
	byte used, seq, stream, base;
	bit anchor;			/* is there: it comes behind all that is above */
	byte word[2 * CAP];
}
typedef slots {
	byte start[LEVELS];
	byte call[LEVELS];
}
block win[STREAMS];
slots slot[STREAMS];
block copy[COPIES];			/* behind them, in the order of their offsets */
byte end;				/* copies that were reserved */
byte lost_calls;

/* --- struct iot_thread ------------------------------------------------------- */

mtype = { NEW, IDLE, BUSY };
typedef recorder {
	mtype state = NEW;
	byte win;
	byte depth, outer, used, base;
	byte nested = 255;
}
recorder rec[STREAMS];
#define WIN(s) win[rec[s].win]
#define SLOT(s) slot[rec[s].win]
byte n_streams;
byte self[THREADS] = 255;		/* iot_self */

/* --- who runs ---------------------------------------------------------------- */

bool killed;
bool masked[THREADS];			/* signals are blocked */
bool in_page[THREADS];			/* the kernel copies a page: a kill waits */
byte running[THREADS];			/* level of the handler that has the thread */
byte finished;				/* threads */

/* --- what is true, to compare with what is read -------------------------------- */

int begun;				/* calls whose slot was stored */
int done;				/* records that were counted */
int lost;				/* records that could not be written */
int definitions;

/* --- lib/core/window.c -------------------------------------------------------- */

/* iot_log_write, as far as the kernel may have come: it copies upwards.  What is
   copied with the first page is seen piecemeal, but not left so by a kill. */
inline write_copy(s, k) {
	in_page[t] = true;
	copy[k].magic = 1;
	d_step {
		copy[k].used = old_used;
		copy[k].seq = old_seq
	}
	copy[k].stream = s;
	copy[k].base = WIN(s).base;
	copy[k].anchor = 1;
	in_page[t] = false;
	n = 0;
	do
	:: n < 2 * old_used ->
		copy[k].word[n] = WIN(s).word[n];
		n++
#ifdef FAILS
	:: n < 2 * old_used && !failed -> failed = true; break
#endif
	:: n == 2 * old_used -> break
	od;
#ifdef FAILS
	if
	:: failed && MUTANT != HOLE_LEFT -> copy[k].magic = 0
	:: else
	fi
#endif
}

/* How the window begins the next block. */
inline begin_block(s) {
	rec[s].used = 0;
	if
	:: MUTANT == EMPTIED_FIRST ->
		WIN(s).used = 0;
		WIN(s).seq++
	:: MUTANT == SEQ_FIRST ->
		WIN(s).seq++;
		WIN(s).used = 0
	:: else ->
		d_step {
			WIN(s).used = 0;
			WIN(s).seq++;
			/* lost, unless a definition is kept */
			n = 0;
			do
			:: failed && n < old_used ->
				done = done & ~BIT(ID(WIN(s).word[2 * n]));
				lost = lost | BIT(ID(WIN(s).word[2 * n]));
				n++
			:: else -> break
			od;
			n = 0
		}
	fi;
	rec[s].base = old_seq + 2;
	if
	:: MUTANT != BASE_LATE -> WIN(s).base = rec[s].base
	:: else
	fi
}

/* A process that is killed here loses the definitions of the block with it. */
inline keep_definitions(s) {
	do
	:: n < old_used && BIT(ID(WIN(s).word[2 * n])) & definitions ->
		WIN(s).word[2 * rec[s].used + 1] = WIN(s).word[2 * n + 1];
		/* they have no time */
		WIN(s).word[2 * rec[s].used] = ID(WIN(s).word[2 * n]) | (rec[s].base << 5);
		d_step {
			kept = kept | BIT(ID(WIN(s).word[2 * rec[s].used]));
			n++
		}
		break
	:: n < old_used && !(BIT(ID(WIN(s).word[2 * n])) & definitions) -> n++
	:: n == old_used -> break
	od;
	if
	:: kept ->
		rec[s].used = 1;
		d_step {
			WIN(s).used = 1;
			done = done | kept;
			lost = lost & ~kept;
			kept = 0
		}
	:: else
	fi
}

/* iot_window_flush */
inline flush(s) {
	masked[t] = true;
	d_step {
		old_used = rec[s].used;
		old_seq = WIN(s).seq;
		failed = false
	}
	/* iot_log_alloc */
	if
	:: MUTANT == PLAIN_ADD ->
		k = end;
		end = k + 1
	:: else ->
		d_step {
			k = end;
			end++
		}
	fi;
	if
	:: MUTANT == REUSED_EARLY -> begin_block(s)
	:: else
	fi;
	write_copy(s, k);
	if
	:: failed -> lost_calls = lost_calls + old_used /* at least the calls */
	:: else
	fi;
	if
	:: MUTANT != REUSED_EARLY -> begin_block(s)
	:: else
	fi;
	if
	:: failed -> keep_definitions(s)
	:: else
	fi;
	masked[t] = false
}

/* thread_new (thread.c), which blocks signals; take, iot_window_open */
inline thread_new(new) {
	masked[t] = true;
	d_step {
		new = n_streams;
		n_streams++;
		assert(n_streams <= STREAMS)
	}
	rec[new].state = BUSY;
#ifdef TAKEN_OVER
	if
	:: new && rec[new - 1].used -> flush(new - 1)
	:: else
	fi;
	rec[new].win = 0;
#else
	rec[new].win = new;
#endif
	WIN(new).used = 0;
	if
	:: MUTANT != MAGIC_KEPT -> WIN(new).magic = 0
	:: else
	fi;
	WIN(new).seq = 0;
	WIN(new).stream = new;
	rec[new].base = 1;
	WIN(new).base = 1;
	WIN(new).magic = 1;
	rec[new].state = IDLE;
	masked[t] = false
}

/* iot_reserve, iot_put_compact, iot_set_used: a record of a busy thread */
inline store(s, id) {
	if
	:: rec[s].used == CAP -> flush(s)
	:: else
	fi;
	at = rec[s].used;
	if
	:: MUTANT == USED_FIRST ->
		rec[s].used = at + 1;
		d_step {
			WIN(s).used = at + 1;
			done = done | BIT(id)
		}
	:: else
	fi;
	WIN(s).word[2 * at + 1] = id;
	WIN(s).word[2 * at] = id | (rec[s].base << 5);
	if
	:: MUTANT == SLOT_EARLY -> SLOT(s).start[place] = 0
	:: else
	fi;
	if
	:: MUTANT != USED_FIRST ->
		rec[s].used = at + 1;
		d_step {
			WIN(s).used = at + 1;
			done = done | BIT(id)
		}
	:: else
	fi;
	if
	:: MUTANT == BASE_LATE -> WIN(s).base = rec[s].base
	:: else
	fi
}

inline busy(s) {
	if
	:: MUTANT != NOT_BUSY -> rec[s].state = BUSY
	:: else
	fi
}

/* --- lib/core: fork.c, enter.c, places.h, hot.h -------------------------------- */

/* iot_attach_slow, nested: the recorder for whoever asks on this thread */
inline attach(s) {
	if
	:: self[t] == 255 ->
		thread_new(s);
		self[t] = s
	:: else -> s = self[t]
	fi;
	do
	:: rec[s].state == BUSY ->
		if
		:: rec[s].nested == 255 ->
			thread_new(at);
			rec[s].nested = at
		:: else
		fi;
		place = rec[s].depth;
		s = rec[s].nested;
		if
		:: rec[s].state == IDLE && rec[s].depth == rec[s].outer ->
			rec[s].depth = place;
			rec[s].outer = place
		:: else
		fi
	:: else -> break
	od
}

/* iot_fd_get, in iot_enter: the descriptor's handle is new */
inline define(id) {
	attach(s);
	busy(s);
	store(s, id);
	rec[s].state = IDLE
}

inline make_call(id) {
	/* push, iot_hot_enter */
	attach(s);
	place = rec[s].depth;
	rec[s].depth = place + 1;
	if
	:: MUTANT == START_FIRST ->
		d_step {
			SLOT(s).start[place] = id;
			begun = begun | BIT(id)
		}
		SLOT(s).call[place] = id
	:: else ->
		SLOT(s).call[place] = id;
		d_step {
			SLOT(s).start[place] = id;
			begun = begun | BIT(id)
		}
	fi;
	/* iot_leave_status, iot_hot_take */
	busy(s);
	store(s, id);
	/* pop, iot_hot_done */
	if
	:: MUTANT != SLOT_KEPT -> SLOT(s).start[place] = 0
	:: else
	fi;
	d_step {
		rec[s].depth = place;
		rec[s].state = IDLE
	}
}

/* Of a process's locals, what is not needed any more must not tell states apart. */
inline forget() {
	d_step {
		s = 0;
		k = 0;
		n = 0;
		at = 0;
		place = 0;
		old_used = 0;
		old_seq = 0;
		failed = false
	}
}

/* _pid is the level: there is one thread if there are handlers. */
#if HANDLERS
#define RUNS (!killed && running[0] == _pid - 1)
#else
#define RUNS (!killed)
#endif

proctype thread(byte t) provided (RUNS)
{
	byte s, k, n, at, place, old_used, old_seq, i;
	bool failed;
	int kept;

#ifdef FAILS
	d_step {
		i = THREADS * CALLS + HANDLERS + t + 1;
		definitions = definitions | BIT(i)
	}
	define(i);
	i = 0;
#endif
#ifdef TAKEN_OVER
	finished == t;
#endif
	do
	:: i < CALLS ->
		make_call(t * CALLS + i + 1);
		forget();
		i++
	:: else -> break
	od;
	finished++
}

/* Each handler runs once, at any moment at which the kernel lets it. */
proctype handler(byte level) provided (RUNS)
{
	byte s, k, n, at, place, old_used, old_seq, t;
	bool failed;
	int kept;

	make_call(THREADS * CALLS + level);
	forget();
	running[0] = level - 1
}

proctype kernel(byte level) provided (!killed)
{
	atomic {
		running[0] == level - 1 && !masked[0] && finished == 0;
		running[0] = level
	}
}

#ifdef FOLLOW
#include "follow.pml"
#else
#include "after.pml"
#endif

init {
	byte i;

	atomic {
		do
		:: i < THREADS ->
			run thread(i);
			i++
		:: else -> break
		od;
		i = 1;
		do
		:: i <= HANDLERS ->
			run handler(i);
			i++
		:: else -> break
		od;
		i = 1;
		do
		:: i <= HANDLERS ->
			run kernel(i);
			i++
		:: else -> break
		od;
		run reader()
	}
}
