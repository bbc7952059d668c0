/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * after.pml - the kill, and what reader finds in the log (blocks.c, index.c,
 * stream.c): every record that was counted once and whole, every call that had
 * begun and has no record in its slot, and nothing else.
 */

hidden byte s, w, c, r, id, replaced;
hidden int found, unfinished;

/* the records of a block: iotr_records_walk */
inline take(b) {
	r = 0;
	do
	:: r < b.used ->
		id = ID(b.word[2 * r]);
		assert(id && id == b.word[2 * r + 1]);		/* whole */
		assert(BASE(b.word[2 * r]) == b.base);		/* its time is right */
		assert(!(found & BIT(id)));			/* once */
		found = found | BIT(id);
		r++
	:: else -> break
	od
}

/* find_blocks, order_blocks: the window, if the stream has one, stands for the copy
   of the same number.  Space without magic is a hole. */
inline take_stream() {
	w = 0;
	do
	:: w < STREAMS && !(win[w].magic && win[w].stream == s) -> w++
	:: else -> break
	od;
	replaced = 0;			/* the window, by its copy */
	c = 0;
	do
	:: c < end ->
		if
		:: copy[c].magic && copy[c].stream == s ->
			if
			:: w < STREAMS && copy[c].seq == win[w].seq && MUTANT != COPY_WINS
			:: else ->
				replaced = replaced || w < STREAMS && copy[c].seq == win[w].seq;
				take(copy[c])
			fi
		:: else
		fi;
		c++
	:: else -> break
	od;
	if
	:: w < STREAMS && !replaced -> take(win[w])
	:: else
	fi
}

/* read_slots; a call that has a record is not in progress, if both agree on what it
   is (superseded) */
inline take_slots(w) {
	c = 0;
	do
	:: c < LEVELS ->
		id = slot[w].start[c];
		if
		:: id && !(found & BIT(id) && slot[w].call[c] == id) ->
			assert(slot[w].call[c] == id);		/* whole */
			assert(!(unfinished & BIT(id)));	/* once */
			unfinished = unfinished | BIT(id)
		:: else
		fi;
		c++
	:: else -> break
	od
}

/* A call's record and its slot are in the same stream. */
inline take_streams() {
	s = 0;
	do
	:: s < n_streams ->
		take_stream();
		if
		:: w < STREAMS -> take_slots(w)
		:: else
		fi;
		s++
	:: else -> break
	od
}

inline count_lost() {
	c = 0;
	id = 1;
	do
	:: id < IDS ->
		c = c + ((lost & ~definitions & BIT(id)) != 0);
		id++
	:: else -> break
	od
}

proctype reader()
{
	d_step {
		!in_page[0] && !in_page[THREADS - 1];
		killed = true;
#ifdef WITNESS
		assert(!(finished == THREADS && running[0] == 0 &&
			 n_streams >= THREADS + HANDLERS && end > THREADS * ((CALLS - 1) / CAP - 1)))
#endif
		found = 0;
		unfinished = 0;
		take_streams();
		assert(found == done);
		assert(unfinished == (begun & ~done & ~lost));
		count_lost();
		assert(c <= lost_calls)
	}
}
