/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracks.h - processes and threads for viewers that know one machine: numbers that are unique,
 * and calls that nest, as calls come by start.
 */
#ifndef TRACKS_H
#define TRACKS_H

#include "export.h"

struct process_track {
	uint64_t number; /* its pid, or another one if a process before it has that */
	struct iotr_log *log;
	uint32_t pid;
	uint64_t open_files, in_flight; /* for the format */
};

struct thread_track {
	uint64_t number; /* the same of its tid */
	struct process_track *process;
	uint32_t tid;
	bool beside;	/* for calls that overlap others of the thread, and are in none */
	struct track_call {
		uint64_t start, end;
	} *calls; /* that may be in progress, outermost first */
	size_t n, cap;
	void *user; /* the format's */
};

/* All zeroes at first. */
struct tracks {
	struct dict processes, threads, numbers;
	struct thread_track **track;
	struct process_track **process;
	size_t n, n_processes;
	uint64_t n_behind;
};

/* The track that the call is on; *is_new: it is the first one there.  dur: ns, as it is shown. */
struct thread_track *iot_track(struct tracks *all, const struct iotr_call *call, uint64_t dur, bool *is_new,
			       bool *new_process);
/* When the innermost call began that is around the latest one of the track; *start stays if there is none. */
void iot_track_around(const struct thread_track *t, const struct iotr_call *call, uint64_t *start);
/* One after the other, NULL behind the last: *at is 0 at first. */
struct thread_track *iot_track_next(const struct tracks *all, size_t *at);
void iot_tracks_free(struct tracks *all);

#endif
