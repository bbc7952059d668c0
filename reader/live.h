/* SPDX-License-Identifier: BSD-3-Clause */
/* live.h - logs that may still be written: their windows, what comes to them, who writes. */
#ifndef IOTR_LIVE_H
#define IOTR_LIVE_H

#include "log-data.h"

struct iotr_snapshot;

/* window.c */
void iotr_window_add(struct iotr_log *log, uint64_t off);
enum iotr_look { IOTR_LOOK_OK, IOTR_LOOK_NONE, IOTR_LOOK_BUSY };
enum iotr_look iotr_window_look(struct iotr_log *log, uint64_t off, const struct iot_block *known,
				struct iotr_snapshot *snap);

/* follow-log.c */
bool iotr_log_grow(struct iotr_log *log);

/* follow.c, watch.c */
struct iotr_watch;
struct iotr_watch *iotr_watch_new(struct iotr_set *set, iotr_message_fn *fn, void *arg);
/* below: if it is a directory, those in it too, as they appear. */
int iotr_watch_add(struct iotr_watch *w, const char *path, bool below);
bool iotr_watch_poll(struct iotr_watch *w);
void iotr_watch_free(struct iotr_watch *w);

/* writers.c */
struct iotr_mapping;
void iotr_log_locate(struct iotr_log *log);
bool iotr_log_writer_gone(struct iotr_log *log, bool thorough);
bool iotr_log_is_mapping(const struct iotr_log *log, const struct iotr_mapping *m);

/* mapped.c: files that a process has mapped, until fn returns true.  1: it did, 0: it did
   not, -1: that can't be read, with errno. */
struct iotr_mapping {
	dev_t dev;
	uint64_t ino;
	const char *name; /* without its directory; " (deleted)" may follow it */
	bool shared;
};
typedef bool iotr_mapping_fn(void *arg, const struct iotr_mapping *m);
int iotr_maps_each(uint32_t pid, iotr_mapping_fn *fn, void *arg);
bool iotr_mapped_has(const struct iotr_mapped *m, const struct iotr_log *log);

#endif
