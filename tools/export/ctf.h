/* SPDX-License-Identifier: BSD-3-Clause */
/* ctf.h - files of the Common Trace Format: what events look like, and streams in packets. */
#ifndef CTF_H
#define CTF_H

#include "export.h"

/* Events; a call's entry has an even number of CTF_CALLS or more, its exit the next one. */
enum { CTF_PROCESS = 0, CTF_THREAD = 1, CTF_CALLS = 2 };

struct ctf_stream;

void iot_ctf_begin(const char *name);
/* What the call is called: its entry has this number. */
void iot_ctf_define_call(uint32_t number, const char *name);
struct ctf_stream *iot_ctf_stream(unsigned number);
/* Begins an event, whose context and fields the caller appends; ns since the trace began. */
struct out *iot_ctf_event(struct ctf_stream *s, uint64_t since, uint32_t event);
/* All streams are written and freed.  started: ns since the epoch, where time is 0. */
void iot_ctf_end(uint64_t started);

/* Whole numbers lie there as in memory, one behind the other. */
static inline void ctf_u32(struct out *o, uint32_t v)
{
	iot_out_bytes(o, (const char *)&v, sizeof(v));
}

static inline void ctf_u64(struct out *o, uint64_t v)
{
	iot_out_bytes(o, (const char *)&v, sizeof(v));
}

#endif
