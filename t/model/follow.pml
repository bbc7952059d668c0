/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow.pml - a reader that follows the log, stream 0 of it (reader/follow-log.c,
 * window.c, blocks.c, stream.c): every record is given once, whole and with its
 * time, and a call that had begun when slots are looked at is in its slot or counted.
 *
 * A read shows the file piece by piece.  Where the order of the pieces is not known
 * both are tried; a header is read upwards, as it is written.
 */

bool seen[COPIES];			/* stream->found: copies, */
byte seen_seq[COPIES], seen_used[COPIES];
bool in_window;				/* the last block that was seen is the window, */
byte last_seq, taken;			/* and what was given of it */
byte next_seq;
bool used_up[COPIES];
int given;

/* blocks.c: walk, believable */
inline walk() {
	limit = end;
	k = 0;
	do
	:: k < limit && seen[k] -> k++
	:: k < limit && !seen[k] ->
		read_header(k);
		if
		:: ok && MUTANT != HEADER_ONCE -> read_header(k)
		:: else
		fi;
		d_step {
			if
			:: ok && stream == 0 ->
				seen[k] = true;
				seen_seq[k] = seq;
				seen_used[k] = used
			:: else
			fi;
			k++
		}
	:: k == limit -> break
	od
}

inline read_header(k) {
	ok = copy[k].magic;
	d_step {
		used = copy[k].used;
		seq = copy[k].seq
	}
	stream = copy[k].stream;
	base = copy[k].base;
	ok = ok && copy[k].anchor
}

/* the parts of a window's header that change, in one read */
inline read_head() {
	if
	:: true ->
		base = win[0].base;
		d_step {
			used = win[0].used;
			seq = win[0].seq
		}
	:: true ->
		d_step {
			used = win[0].used;
			seq = win[0].seq
		}
		base = win[0].base
	fi
}

inline read_slot(begin, is) {
	if
	:: true ->
		begin = slot[0].start[0];
		is = slot[0].call[0]
	:: true ->
		is = slot[0].call[0];
		begin = slot[0].start[0]
	fi
}

/* window.c: iotr_window_look.  It gives up in the end; here it does not have to. */
inline look() {
	do
	:: true ->
		before = begun & ~done;
		read_slot(start, what);
		read_slot(start_again, what_again);
		d_step {
			now_used = win[0].used;
			now_seq = win[0].seq;
			if
			:: start != start_again || what != what_again -> start = 0
			:: else
			fi;
			assert(start == 0 || (start == what && begun & BIT(start)));
			/* what had begun is in its slot, or is counted by now */
			assert(!(before & ~done & ~BIT(start)));
			before = 0;
			start = 0;
			what = 0;
			start_again = 0;
			what_again = 0
		}
		read_head();
		ok = seq == now_seq;
		ok = ok && win[0].seq == now_seq;
		if
		:: ok || MUTANT == HEADER_UNCHECKED -> break
		:: else
		fi
	od;
	/* the block's own, if there is anything in it */
	assert(now_used == 0 || base == now_seq + 1)
}

/* stream.c: on_record, of what was read of a block and not given yet */
inline give(upto) {
	d_step {
		do
		:: taken < upto ->
			id = ID(word[2 * taken]);
			assert(id && id == word[2 * taken + 1]);	/* whole */
			assert(BASE(word[2 * taken]) == base);		/* its time is right */
			assert(done & BIT(id) && !(given & BIT(id)));	/* once */
			given = given | BIT(id);
			taken++
		:: else -> break
		od;
		n = 0;
		do
		:: n < 2 * CAP ->
			word[n] = 0;
			n++
		:: else -> break
		od;
		n = 0
	}
}

inline read_words(from, upto) {
	n = 2 * taken;
	do
	:: n < 2 * upto ->
		word[n] = from.word[n];
		n++
	:: else -> break
	od
}

/* blocks.c: iotr_block_read, of a copy */
inline give_copy(k) {
	base = copy[k].base;
	read_words(copy[k], seen_used[k]);
	give(seen_used[k])
}

/* and of the window, or its copy if it has gone on since */
inline give_window(upto) {
	do
	:: true ->
		read_head();
		if
		:: seq == last_seq ->
			read_words(win[0], upto);
			if
			:: MUTANT == RECORDS_UNCHECKED || win[0].seq == last_seq -> break
			:: else
			fi
		:: else ->
			walk();
			k = 0;
			do
			:: k < COPIES && !(seen[k] && seen_seq[k] == last_seq) -> k++
			:: else -> break
			od;
			assert(k < COPIES);
			base = copy[k].base;
			read_words(copy[k], upto);
			break
		fi
	od;
	give(upto)
}

/* follow-log.c: is_whole, take_copies, append, replace */
inline take_copies() {
	k = 0;
	do
	:: k < COPIES && seen[k] && !used_up[k] && (seen_seq[k] < now_seq || MUTANT == COPY_EARLY) ->
		d_step {
			used_up[k] = true;
			/* the next block, or the one whose window was given so far */
			assert(seen_seq[k] == (in_window -> last_seq : next_seq));
			if
			:: !in_window ->
				taken = 0;
				next_seq++
			:: else
			fi;
			in_window = false
		}
		give_copy(k);
		k++
	:: k < COPIES && !(seen[k] && !used_up[k] &&
			   (seen_seq[k] < now_seq || MUTANT == COPY_EARLY)) -> k++
	:: k == COPIES -> break
	od
}

/* take_window, append */
inline take_window() {
	d_step {
		if
		:: now_used && !in_window ->
			assert(now_seq == next_seq);
			in_window = true;
			last_seq = now_seq;
			next_seq++;
			taken = 0
		:: else
		fi
	}
	if
	:: now_used ->
		assert(last_seq == now_seq);
		give_window(now_used)
	:: else
	fi
}

/* follow-log.c: iotr_log_grow */
proctype reader()
{
	byte word[2 * CAP], k, limit, n, used, seq, stream, base, now_used, now_seq;
	byte start, what, start_again, what_again, id;
	bool ok, over;
	int before;

	win[0].magic == 1;
	do
	:: !over ->
		over = finished == THREADS;
		walk();
		look();
		walk();
		take_copies();
		take_window()
	:: over ->
		assert(given == done);
#ifdef WITNESS
		assert(false);
#endif
		break
	od
}
