/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h - what the files that make a picture know of each other: picture.c, lanes.c, meet.c,
   arcs.c, frames.c. */
#ifndef IOTA_DRAW_H
#define IOTA_DRAW_H

#include "internal.h"
#include "picture.h"

/* ---- picture.c: what others that have calls, as a database has, make a picture of ---- */
/* Nothing is drawn yet; ns since the epoch.  shortest, lanes, files and drawn are to be set. */
struct iota_picture *iota_picture_blank(const struct iota_picture_options *o, uint64_t begin, uint64_t end);
/* The memory stays as long as the picture.  Returns it. */
void *iota_picture_keep(struct iota_picture *p, void *memory);
/* The file, which has that row, is drawn by itself: there are fewer of these than options.files. */
void iota_picture_draw_file(struct iota_picture *p, size_t row);
/* A call: of s are used call, does, is_syscall, timed, moved and time.  Calls of a lane come by start.
   file: its row, or SIZE_MAX; node: SIZE_MAX if it is not known; part: enum iota_part, or -1. */
void iota_picture_put(struct iota_picture *p, const struct iota_sample *s, struct iota_lane *l, size_t file, size_t node,
		      int part);

/* ---- lanes.c ---- */
size_t iota_bin(const struct iota_picture *p, uint64_t ns);
/* enum iota_part; -1: none of them */
int iota_part_of(const struct iota_sample *s);
/* It stays until a call of another thread comes. */
struct iota_lane *iota_lane_of(struct iota_picture *p, const struct iotr_call *call);
void iota_lane_add(const struct iota_picture *p, struct iota_lane *l, const struct iota_sample *s, int part,
		   size_t node, struct iota_cell *cell);
/* A lane of its own for a thread, or that of all others; who: log to rank, and begin. */
struct iota_lane *iota_lane_new(struct iota_picture *p, const struct iota_lane *who);
void iota_lanes_end(struct iota_picture *p);
void iota_lanes_free(struct iota_picture *p);

/* ---- unlisted.c ---- */
/* All of them, without their names. */
void iota_unlisted_find(struct iota_picture *p);
/* The same with their names, of what was drawn of logs. */
void iota_unlisted_end(struct iota_picture *p);

/* ---- meet.c ---- */
enum iota_mpi iota_mpi_of(const struct iota_sample *s);
/* A call that is itself own, and within one that is within. */
void iota_mpi_add(struct iota_lane *l, const struct iota_sample *s, enum iota_mpi own, enum iota_mpi within);
/* Every call; lane: its number. */
void iota_meet(struct iota_picture *p, const struct iota_sample *s, size_t file, uint32_t lane);
void iota_meets_free(struct iota_picture *p);

/* ---- arcs.c ---- */
/* Every call; lane: its number. */
void iota_arcs_add(struct iota_picture *p, const struct iota_sample *s, size_t file, uint32_t lane);
void iota_arc_keep(struct iota_picture *p, struct iota_arc arc);
void iota_arcs_end(struct iota_picture *p);
void iota_arcs_free(struct iota_picture *p);

/* ---- frames.c ---- */
/* The node from which the call was made; SIZE_MAX: not known. */
size_t iota_node_of(struct iota_picture *p, const struct iotr_call *call);
/* The node of that line, called from the parent's; the root, which is 0, is everything. */
size_t iota_node_below(struct iota_picture *p, size_t parent, const struct iota_line *line);
void iota_nodes_free(struct iota_picture *p);

#endif
