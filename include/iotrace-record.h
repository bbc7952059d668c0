/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-record.h - the records of an iotrace log: their forms, their parts, and the walk
 * over the records of a block.
 *
 * A part of iotrace-format.h, which includes it.  What a form's length is, and where its parts
 * lie, is said here and nowhere else: the recorder stores records by it, looks through its own
 * windows (window.c) and merges logs (mpi/image.c) by it, and the reader takes records apart
 * and packs them by it.
 */
#ifndef IOTRACE_RECORD_H
#define IOTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Records.  Made of 64-bit words; a record never crosses a block.  A record is
 * stored when its call ends, so a nested call comes before its parent.
 *
 * Word 0, all forms, from bit 0:
 *	call:10  form:2  internal:1  depth:3  handle:16  dt:32
 * call      id in the header text's schema; 0 = a definition
 * internal  the call came from inside libc (by an alias only libc uses)
 * depth     calls in progress around this one; 7 = see word 3 of the general form
 * handle    low bits of the handle id, 0 = none
 * dt        start - base, in ticks; base is the block's or that of the last
 *           IOT_DEF_TIME before this record in the block
 *
 * Form IOT_COMPACT, 3 words: a call that went as asked, or has just one number
 * to tell.  Only for calls without arguments that need a word of their own.
 *	word 1	duration:32  size:32
 *	word 2	offset:40  stack:24		offset IOT_NO_OFFSET40 = not known or none
 * The result is size for result kinds bytes, chars and char, 0 for status and eof, and
 * iot_text_result for nonneg.
 * For calls with an itemsize parameter (fread, fwrite) offset holds that
 * itemsize and the result is size / itemsize.  Likewise, for a result of kind text (fgets)
 * offset holds the size that was asked for.  A call with no size parameter
 * (printf, getline) was asked for nothing: size then is only its result.
 * A call that opens a file by path, flags and mode (and a dirfd, AT_FDCWD) has the
 * handle that it opened, which is its path and its result; size holds the flags
 * and offset the mode.
 * A call that moves the offset (lseek) has the new one there; size holds how far and
 * from where: iot_seek.
 *
 * Form IOT_BRIEF, 2 words: the same without word 2, whose values follow from the
 * compact and brief records before it in this block: see struct iot_recent.
 *
 * Form IOT_GENERAL:
 *	word 1	duration:32  words:16  present:16
 *	word 2	handle:32  stack:32
 *	word 3	errno:16  depth:16  status:8  argc:8  model:16
 *	then, for each bit of present that is set, from bit 0, one word:
 *	IOT_HAS_START	ticks at start (dt is 0)
 *	IOT_HAS_DUR	duration in ticks (the field is 0)
 *	IOT_HAS_SIZE	bytes asked for
 *	IOT_HAS_OFFSET	absolute file offset
 *	IOT_HAS_RET	result
 *	IOT_HAS_CACHED	of the bytes that were read, how many were in the page cache before
 *	IOT_HAS_FETCHED	bytes that the kernel read from devices for the call, with read-ahead; absent: 0
 *	IOT_HAS_DIRTIED	bytes of the page cache that became dirty by it; absent: 0
 *			(these three with IOTRACE_CACHE)
 *	then argc arguments: those of the call's schema that have no place above,
 *	in the schema's order.  One word each, and for a string or bytes a word
 *	IOT_INLINE | length followed by the bytes, padded to 8.  A path or name is a path
 *	id or such an inline string; pipefds are two handles, the second << 32.
 * words counts the whole record.
 *
 * Form IOT_ALIKE, 2 words and more: a call like one before it in this block, whose general
 * record is in the place that this one names: the last of the block that has its number in
 * word 3.  See IOT_MODELS.
 *	word 1	place:8  spare:8  own:16  more:32
 *	then, for each bit of own that is set, from bit 0, one word: bits 0 to 7 stand for what
 *	IOT_HAS_* of the same bit have there, bits 8 to 15 for arguments 0 to 7.
 * Its first argument is that of the other plus more, which has a sign.  It took no time, and
 * call, depth, handle and start are those of word 0.  All else is as there.
 *
 * A definition: word 0 with call 0, form IOT_GENERAL and its kind (IOT_DEF_*)
 * in the handle field; word 1 as in the general form (words is what counts);
 * then the payload below.  Unknown kinds are skipped.
 */
#define IOT_CALL_BITS		10
#define IOT_FORM_SHIFT		10
#define IOT_INTERNAL_SHIFT	12
#define IOT_DEPTH_SHIFT		13
#define IOT_HANDLE_SHIFT	16
#define IOT_DT_SHIFT		32

#define IOT_COMPACT		0u
#define IOT_BRIEF		1u
#define IOT_GENERAL		2u
#define IOT_ALIKE		3u

#define IOT_DEPTH_MAX		7u	/* see word 3 */
#define IOT_NO_OFFSET40		((1ULL << 40) - 1)

#define IOT_HAS_START		1u
#define IOT_HAS_DUR		2u
#define IOT_HAS_SIZE		4u
#define IOT_HAS_OFFSET		8u
#define IOT_HAS_RET		16u
#define IOT_HAS_CACHED		32u
#define IOT_HAS_FETCHED		64u
#define IOT_HAS_DIRTIED		128u
#define IOT_HAS_CACHE		(IOT_HAS_CACHED | IOT_HAS_FETCHED | IOT_HAS_DIRTIED)

#define IOT_INLINE		(1ULL << 63)
/* in definitions of a job's log: the rest is an offset in its strings, where
   IOT_INLINE | length and the bytes stand */
#define IOT_SHARED		(1ULL << 62)
/* errno of calls of MPI: the class of the error, counted as table/mpi-errors.def does */
#define IOT_ERR_MPI		0x4000u

/*
 * What a brief record leaves out.  Writer and reader keep, for each block anew, the
 * last compact or brief record of eight kinds; IOT_RECENT_AT of a record's word 0
 * says in which place.  A brief record has the same call, depth, handle and
 * stack as the one in its place.  Its offset is where that one ended plus the
 * gap that lay before that one: sequential and strided calls alike.  If the
 * call has no offset, or it was not known, its word 2 is that one's.
 */
#define IOT_RECENT		8u
#define IOT_RECENT_AT(word0)	(((word0) ^ (word0) >> IOT_HANDLE_SHIFT) % IOT_RECENT)
/* word 0's low half without its form */
#define IOT_RECENT_WHAT(word0)	((uint32_t)(word0) & ~(3u << IOT_FORM_SHIFT))

struct iot_recent {
	uint64_t key;			/* IOT_RECENT_WHAT, stack << 32; 0: none */
	uint64_t next;			/* low 40 bits of word 2 of a brief record, */
	uint64_t gap;			/* less the end of the one before */
};

/* Notes a brief record: key and low40 are r's.  fixed: low40 is no offset. */
static inline void iot_recent_brief(struct iot_recent *r, uint64_t size, int fixed)
{
	if (!fixed && r->next != IOT_NO_OFFSET40)
		r->next = (r->next + size + r->gap) & IOT_NO_OFFSET40;
}

/* Notes a compact record. */
static inline void iot_recent_compact(struct iot_recent *r, uint64_t key, uint64_t low40, uint64_t size,
				      int fixed)
{
	int known = !fixed && low40 != IOT_NO_OFFSET40;

	r->gap = known && r->key == key ? low40 - (r->next - r->gap) : 0;
	r->key = key;
	r->next = low40;
	iot_recent_brief(r, size, fixed);
}

/*
 * General records that others are like.  Writer and reader have places for so many, which are
 * empty when a block begins.  A general record whose model is not 0 takes place model - 1.  It
 * has a result or none, a size and an offset or none, and up to eight arguments of a word each,
 * of which one at least; its call has finished, and its handle has 16 bits.
 */
#define IOT_MODELS		16u
#define IOT_MODEL_WORDS		15u	/* that such a record may have */
#define IOT_MODEL_ARGS		8u
#define IOT_MODEL_HAS		(IOT_HAS_SIZE | IOT_HAS_OFFSET | IOT_HAS_RET)

/* What libc returns that has written a text: of puts, its size; of fputs, 1. */
static inline int64_t iot_text_result(uint64_t size, bool line)
{
	return line ? (int64_t)size : 1;
}

/* lseek(fd, by, whence) has led to ret: what size says of it.  Whence is 0 (SEEK_SET), 1
   (SEEK_CUR) or 2 (SEEK_END), and by has 30 bits; ~0: that can't be said. */
static inline uint64_t iot_seek(int64_t ret, int64_t by, int whence)
{
	if (ret < 0 || ret >= (int64_t)IOT_NO_OFFSET40 || whence < 0 || whence > 2)
		return ~0ULL;
	if (!whence)
		return by == ret ? 0 : ~0ULL;
	return by >= -(1 << 29) && by < 1 << 29 ? (uint32_t)by << 2 | (uint32_t)whence : ~0ULL;
}

static inline int iot_seek_whence(uint32_t size)
{
	return size & 3;
}

static inline int64_t iot_seek_by(int64_t ret, uint32_t size)
{
	return size & 3 ? (int32_t)size >> 2 : ret;
}

/* status, in word 3 of the general form */
#define IOT_ST_FINISHED		0u
#define IOT_ST_NORETURN		1u	/* stored before a call that does not return (exit,
					   exec); if it did return, a later record of the same
					   start and depth replaces this one */
#define IOT_ST_ABANDONED	2u	/* left by longjmp, cancellation or an exception; the
					   duration is the time until that was seen */
#define IOT_ST_INFERRED		4u	/* bit: no call, but the bytes that went beneath the
					   one around it in one or more calls like this; the
					   duration means nothing */
#define IOT_ST_NO_SYSCALL 8u	/* bit: it came back without the system call that the
					   schema names */

#define IOT_ST_MPI 16u	/* bit: MPI made the call for itself */

/* A program counter of a stack that is none: a line of an interpreter's code.  From bit 0:
 *	line:24  number of its IOT_DEF_CODE:32  IOT_CODE_FRAME >> 56:8
 * No processor has code there.  Line 0 is not known. */
#define IOT_CODE_FRAME		(0x50ULL << 56)
#define IOT_CODE_NUMBER_SHIFT	24
#define IOT_CODE_LINE_MAX	0xffffffu
#define IOT_IS_CODE_FRAME(pc)	((pc) >> 56 == IOT_CODE_FRAME >> 56)
#define IOT_CODE_PYTHON		1u

/* Payloads of definitions, in words behind word 1 */
#define IOT_DEF_TIME	1u	/* base: this record's and the following dt count from it;
				   struct iot_anchor (3 words) */
#define IOT_DEF_PATH	2u	/* id, dev, ino, mode (st_mode, 0 = not known) | dir << 32,
				   IOT_INLINE|length, bytes; if mode is known: st_size and st_blksize
				   when it was first opened, or looked at if it was not opened yet;
				   dir: id of the directory's name, which with a slash comes before the
				   bytes; 0: they are all of it */
#define IOT_DEF_PATH_NAME 4u	/* in which word of it the bytes begin */
#define IOT_DEF_HANDLE	3u	/* id, fd, path (id or inline string), mode (st_mode type bits,
				   0 = not known) */
#define IOT_DEF_STACK	4u	/* id, n, n return addresses, innermost first: a stack as it was stored
				   before there was IOT_DEF_FRAMES */
#define IOT_DEF_MAP	5u	/* start, end, file offset, build id (IOT_INLINE|length, bytes),
				   file name (IOT_INLINE|length, bytes), ticks since which it is there, 0 = from the
				   start; in place of what was there until then */
#define IOT_DEF_MAP_NAMES 3u	/* in which word of it the build id begins */
#define IOT_DEF_LOST	6u	/* calls lost here, reason as lost_reason */
#define IOT_DEF_RANK	7u	/* rank in MPI_COMM_WORLD, its size: what MPI says */
#define IOT_DEF_CLOCK	8u	/* CLOCK_MONOTONIC, what time it was then by the job's clock (ns
				   since the epoch), by how much (ns) that may be wrong */
#define IOT_DEF_PROCESS 9u	/* number, pid, number of the process that forked it, ticks when
				   that did, or when it made its first call; in the first block of the process */
#define IOT_DEF_CODE	11u	/* number, language (IOT_CODE_*), file (path id or inline string), function
				   (inline string): code of an interpreter that is in stacks */
#define IOT_DEF_DEVICE	16u	/* dev, type of its file system (f_type of statfs), block size */
#define IOT_DEF_LAYOUT	17u	/* path id, how many bytes a stripe has, on how many targets they are,
				   the first of them (~0 = not known), from and to which offset this
				   holds (~0 = to the end) */
#define IOT_DEF_FRAMES	20u	/* frames of stacks, see below: first id | id of their caller << 32, bytes */
#define IOT_DEF_USAGE	18u	/* of the thread since it began: ticks, us of the processor in user
				   mode, in system mode, minor, major page faults, blocks of 512 bytes
				   in, out, context switches that were voluntary, and not; with
				   IOTRACE_CACHE also rchar, wchar, syscr, syscw, read_bytes,
				   write_bytes, cancelled_write_bytes of proc(5); where a thread
				   begins, ends, and has written a block */

#define IOT_DEF_SUM 10u	/* id, call id, count, of which failed, ticks in them, ticks when the first
				   began, when the last ended: calls by which MPI looks for news, in this
				   block, that have no records; goes up in place while the block grows */

/*
 * Stacks are a tree: each has its innermost frame, and what lies around that is another
 * stack, that of its caller.  A definition has some frames, each called by the one before
 * it, the first one by what the id of the caller stands for, which is a lower one; 0: nobody,
 * or it is not known.  The first of them completes the stack with the first id, the next
 * one that with the next id, and so on.  Or, with IOT_FRAMES_ONE_ID, only the last has an
 * id, the first: where so many are known that no more are kept, a stack may be defined
 * again, with another id.
 *
 * The bytes: how many frames, in one byte with IOT_FRAMES_ONE_ID, then for each how much
 * greater its return address is than that of the one before (the first one's: than 0),
 * which may be negative, as iot_frame_put has it; zeroes up to the next word.
 */
#define IOT_FRAMES_ONE_ID 0x80u
#define IOT_FRAMES_MAX	  0x7fu
/* so many words such a definition of n frames has at most */
#define IOT_FRAMES_WORDS(n) (1 + (1 + 10 * (n) + 7) / 8)

/* The difference, as a number that is small if it is, with 7 bits to a byte, the lowest
   first; those with 0x80 are not the last. */
static inline uint8_t *iot_frame_put(uint8_t *to, uint64_t pc, uint64_t before)
{
	uint64_t by = pc - before;

	for (by = by << 1 ^ -(by >> 63); by > 0x7f; by >>= 7)
		*to++ = (uint8_t)(by | 0x80);
	*to++ = (uint8_t)by;
	return to;
}

/* *pc is the address before it, and becomes this one; NULL: it does not end before end. */
static inline const uint8_t *iot_frame_get(const uint8_t *from, const uint8_t *end, uint64_t *pc)
{
	uint64_t by = 0;
	unsigned bits;

	for (bits = 0; from < end && bits < 64; bits += 7) {
		by |= (uint64_t)(*from & 0x7f) << bits;
		if (*from++ & 0x80)
			continue;
		*pc += by >> 1 ^ -(by & 1);
		return from;
	}
	return NULL;
}

/* ---- parts ---- */

static inline uint32_t iot_record_call(uint64_t word0)
{
	return (uint32_t)word0 & ((1u << IOT_CALL_BITS) - 1);
}

static inline uint32_t iot_record_form(uint64_t word0)
{
	return (uint32_t)(word0 >> IOT_FORM_SHIFT) & 3;
}

static inline uint32_t iot_record_depth(uint64_t word0)
{
	return (uint32_t)(word0 >> IOT_DEPTH_SHIFT) & IOT_DEPTH_MAX;
}

/* Low bits of the handle; of a definition, its kind. */
static inline uint32_t iot_record_handle(uint64_t word0)
{
	return (uint32_t)(word0 >> IOT_HANDLE_SHIFT) & 0xffff;
}

static inline uint32_t iot_record_dt(uint64_t word0)
{
	return (uint32_t)(word0 >> IOT_DT_SHIFT);
}

static inline uint64_t iot_def_word0(uint32_t kind)
{
	return (uint64_t)IOT_GENERAL << IOT_FORM_SHIFT | (uint64_t)kind << IOT_HANDLE_SHIFT;
}

/* Word 1: the low half is the duration, in all forms. */
static inline uint32_t iot_short_size(uint64_t word1)
{
	return (uint32_t)(word1 >> 32);
}

static inline uint32_t iot_general_words(uint64_t word1)
{
	return (uint32_t)(word1 >> 32) & 0xffff;
}

static inline uint32_t iot_general_present(uint64_t word1)
{
	return (uint32_t)(word1 >> 48);
}

static inline uint64_t iot_general_word1(uint32_t dur, uint64_t words, uint32_t present)
{
	return dur | words << 32 | (uint64_t)present << 48;
}

/* Word 2, of a compact record */
static inline uint64_t iot_compact_low40(uint64_t word2)
{
	return word2 & IOT_NO_OFFSET40;
}

static inline uint32_t iot_compact_stack(uint64_t word2)
{
	return (uint32_t)(word2 >> 40);
}

static inline uint64_t iot_compact_word2(uint64_t low40, uint32_t stack)
{
	return low40 | (uint64_t)stack << 40;
}

/* and of a general one, whose low half is the handle. */
static inline uint32_t iot_general_stack(uint64_t word2)
{
	return (uint32_t)(word2 >> 32);
}

/* Word 3, whose lowest 16 bits are the error. */
static inline uint32_t iot_general_depth(uint64_t word3)
{
	return (uint32_t)(word3 >> 16) & 0xffff;
}

static inline uint32_t iot_general_status(uint64_t word3)
{
	return (uint32_t)(word3 >> 32) & 0xff;
}

static inline uint32_t iot_general_argc(uint64_t word3)
{
	return (uint32_t)(word3 >> 40) & 0xff;
}

static inline uint32_t iot_general_model(uint64_t word3)
{
	return (uint32_t)(word3 >> 48);
}

static inline uint64_t iot_general_word3(uint32_t err, uint32_t depth, uint32_t status, uint32_t argc)
{
	return (uint64_t)err | (uint64_t)depth << 16 | (uint64_t)status << 32 | (uint64_t)argc << 40;
}

static inline uint64_t iot_model_word3(uint32_t place)
{
	return (uint64_t)(place + 1) << 48;
}

/* Word 1 of one that is like another. */
static inline uint64_t iot_alike_word1(uint32_t place, uint32_t own, int32_t more)
{
	return place | (uint64_t)own << 16 | (uint64_t)(uint32_t)more << 32;
}

static inline uint32_t iot_alike_place(uint64_t word1)
{
	return (uint32_t)word1 & 0xff;
}

static inline uint32_t iot_alike_own(uint64_t word1)
{
	return (uint32_t)word1 >> 16;
}

static inline int32_t iot_alike_more(uint64_t word1)
{
	return (int32_t)(word1 >> 32);
}

/* Bytes that an argument or a part of a definition has behind its word, and in how many words. */
static inline uint64_t iot_inline_size(uint64_t word)
{
	return word & IOT_INLINE && !(word & IOT_SHARED) ? word & ~IOT_INLINE : 0;
}

static inline uint64_t iot_inline_words(uint64_t word)
{
	return (iot_inline_size(word) + 7) / 8;
}

/* ---- lengths ---- */

/* Words that each record of its form has; 0: there is no such form. */
static inline uint32_t iot_record_fixed(uint64_t word0)
{
	uint32_t form = iot_record_form(word0), call = iot_record_call(word0);

	if (form == IOT_GENERAL)
		return call ? 4 : 2;
	if (!call)
		return 0;
	return form == IOT_COMPACT ? 3 : 2;
}

/* Of the 16 bits that say what is present */
static inline uint32_t iot_count_bits(uint32_t bits)
{
	bits -= bits >> 1 & 0x5555;
	bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
	bits = (bits + (bits >> 4)) & 0x0f0f;
	return (bits + (bits >> 8)) & 0x1f;
}

/* Words of a record; 0: it makes no sense. */
static inline uint32_t iot_record_words(uint64_t word0, uint64_t word1)
{
	uint32_t fixed = iot_record_fixed(word0), words = iot_general_words(word1);

	if (iot_record_form(word0) == IOT_ALIKE && fixed)
		return fixed + iot_count_bits(iot_alike_own(word1));
	if (iot_record_form(word0) != IOT_GENERAL)
		return fixed;
	if (iot_record_call(word0))
		fixed += iot_count_bits(iot_general_present(word1));
	return words >= fixed ? words : 0;
}

/* ---- the walk ---- */

/*
 * The records of a block, one after the other:
 *
 *	struct iot_records r = { .next = words, .end = words + n, .base = block->base };
 *
 *	while (iot_records_next(&r))
 *		look at r.p, r.words, r.word0
 *
 * It ends at the last whole record; if that is not the end (next < end), what follows makes no
 * sense.  Each word is read once: somebody else may be changing it.
 */
struct iot_records {
	const uint64_t *next, *end;
	uint64_t base;			/* what dt counts from */
	const uint64_t *p;		/* this record, */
	uint64_t word0, word1;		/* its first words, */
	uint32_t words;			/* how many it has */
};

static inline bool iot_records_next(struct iot_records *r)
{
	const uint64_t *p = r->next;

	if (r->end - p < 2)
		return false;
	r->word0 = *(const volatile uint64_t *)p;
	r->word1 = *(const volatile uint64_t *)(p + 1);
	r->words = iot_record_words(r->word0, r->word1);
	if (!r->words || r->words > (size_t)(r->end - p))
		return false;
	r->p = p;
	r->next = p + r->words;
	if (!iot_record_call(r->word0) && iot_record_handle(r->word0) == IOT_DEF_TIME && r->words >= 6)
		r->base = p[2];
	return true;
}

/* When the call of a record began, in ticks, */
static inline uint64_t iot_record_start(const struct iot_records *r)
{
	if (iot_record_form(r->word0) == IOT_GENERAL && iot_general_present(r->word1) & IOT_HAS_START)
		return r->p[4];
	return r->base + iot_record_dt(r->word0);
}

/* and how long it took. */
static inline uint64_t iot_record_dur(const uint64_t *p)
{
	uint32_t present = iot_record_form(p[0]) == IOT_GENERAL ? iot_general_present(p[1]) : 0;

	if (iot_record_form(p[0]) == IOT_ALIKE)
		return 0;
	return present & IOT_HAS_DUR ? p[4 + (present & IOT_HAS_START)] : (uint32_t)p[1];
}

/* ---- records like others ---- */

/* Whether others may be like it: it is a general record, with so many words there. */
static inline bool iot_is_model(const uint64_t *w, uint32_t words)
{
	uint32_t present = iot_general_present(w[1]), argc = iot_general_argc(w[3]);

	return words <= IOT_MODEL_WORDS && words == 4 + iot_count_bits(present) + argc && argc - 1 < IOT_MODEL_ARGS &&
	       !(present & ~IOT_MODEL_HAS) && iot_general_model(w[3]) - 1 < IOT_MODELS && !iot_general_status(w[3]) &&
	       !((uint32_t)w[2] >> 16);
}

/* Whether w is like a model. */
static inline bool iot_is_alike(const uint64_t *w, const uint64_t *model)
{
	uint32_t has = iot_general_present(model[1]) | (((1u << iot_general_argc(model[3])) - 1) & ~1u) << 8;

	return iot_record_call(w[0]) == iot_record_call(model[0]) && !(iot_alike_own(w[1]) & ~has);
}

/* The general record that it stands for, into IOT_MODEL_WORDS. */
static inline void iot_alike_general(const uint64_t *w, const uint64_t *model, uint64_t *to)
{
	uint32_t own = iot_alike_own(w[1]), argc = iot_general_argc(model[3]);
	uint32_t has = iot_general_present(model[1]) | ((1u << argc) - 1) << 8, n = 4;
	const int64_t more = iot_alike_more(w[1]);

	to[0] = (w[0] & ~(3ULL << IOT_FORM_SHIFT)) | (uint64_t)IOT_GENERAL << IOT_FORM_SHIFT;
	to[2] = (model[2] & ~0xffffULL) | iot_record_handle(w[0]);
	to[3] = model[3] & ~(0xffffULL << 48);
	w += 2;
	for (uint32_t bit = 0; bit < 8 + argc; bit++) {
		if (!(has >> bit & 1))
			continue;
		to[n] = own >> bit & 1 ? *w++ : model[n];
		if (bit == 8)
			to[n] += (uint64_t)more;
		n++;
	}
	to[1] = iot_general_word1(0, n, iot_general_present(model[1]));
}

#endif
