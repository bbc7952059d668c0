/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf.h - calls as events of the Common Trace Format: for --to=ctf, which writes them to files, and
 * for babeltrace2's plug-in, which hands them over.
 */
#ifndef CTF_H
#define CTF_H

#include "tracks.h"

typedef uint8_t ctf_u8;
typedef uint32_t ctf_u32;
typedef int32_t ctf_i32;
typedef uint64_t ctf_u64;
typedef int64_t ctf_i64;
/* Escaped as in JSON, so that no name has a character that a terminal obeys; "-" stands for none and for
   empty text: where that is empty, babeltrace2 2.0.4 shows what another event had there. */
typedef const char *ctf_text;

/* The fields of events, in their order. */
#define CTF_CONTEXT(F) F(u32, vpid) F(u32, vtid) F(i32, rank)
#define CTF_PROCESS(F) F(u32, pid) F(text, host) F(text, program) F(text, cmdline)
#define CTF_THREAD(F) F(u32, tid) F(u8, overlaps)
#define CTF_ENTRY(F)                                                                              \
	F(u64, id) F(u64, parent_id) F(i32, fd) F(text, path) F(i64, offset) F(i64, size)         \
	F(text, site) F(text, args) F(u8, internal) F(u8, mpi_own)
#define CTF_EXIT(F)                                                                               \
	F(u64, id) F(u8, has_ret) F(i64, ret) F(text, error) F(u64, read) F(u64, written)         \
	F(u64, moved) F(text, status)

#define CTF_MEMBER(type, name) ctf_##type name;
struct ctf_context { CTF_CONTEXT(CTF_MEMBER) };
struct ctf_process { CTF_PROCESS(CTF_MEMBER) };
struct ctf_thread { CTF_THREAD(CTF_MEMBER) };
struct ctf_entry { CTF_ENTRY(CTF_MEMBER) };
struct ctf_exit { CTF_EXIT(CTF_MEMBER) };
#undef CTF_MEMBER

/* Kinds of events: those of a call have numbers from 2 on, that of its entry is even. */
enum { CTF_IS_PROCESS = 0, CTF_IS_THREAD = 1, CTF_IS_CALL = 2 };

/* What has events in the order of time; of one thread, or of several. */
struct ctf_lane {
	unsigned number;
	uint64_t last; /* ns since the epoch: of its latest event */
	struct ctf_left *heap;
	size_t n, cap;
	void *user; /* the sink's */
};

struct ctf {
	struct iota *a;
	unsigned n_lanes;
	struct ctf_lane *lanes;
	/* Called for each event of a lane; fields: the struct of its kind. */
	void (*event)(struct ctf *c, struct ctf_lane *l, uint64_t kind, const struct ctf_context *context,
		      const void *fields);
	/* Called before a call's first event: kind is that of its entry. */
	void (*define)(struct ctf *c, uint64_t kind, const char *name);
	void *user; /* the sink's */
	/* what follows is ctf-events.c's own */
	struct tracks tracks;
	struct dict kinds;
	struct out text;
	uint64_t n_calls, n_threads;
};

/* a, the functions and user are set. */
void iot_ctf_begin(struct ctf *c, unsigned n_lanes);
/* Calls come by start. */
void iot_ctf_call(struct ctf *c, const struct iota_sample *s);
/* All exits that are left. */
void iot_ctf_end(struct ctf *c);
void iot_ctf_free(struct ctf *c);

#endif
