/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h - what the files that make a picture know of each other: picture.c, lanes.c, meet.c,
   arcs.c, frames.c. */
#ifndef IOTA_DRAW_H
#define IOTA_DRAW_H

#include "internal.h"
#include "picture.h"

/* ---- lanes.c ---- */
size_t iota_bin(const struct iota_picture *p, uint64_t ns);
/* enum iota_part; -1: none of them */
int iota_part_of(const struct iota_sample *s);
/* It stays until a call of another thread comes. */
struct iota_lane *iota_lane_of(struct iota_picture *p, const struct iotr_call *call);
void iota_lane_add(const struct iota_picture *p, struct iota_lane *l, const struct iota_sample *s, int part,
		   size_t node, struct iota_cell *cell);
void iota_lanes_end(struct iota_picture *p);
void iota_lanes_free(struct iota_picture *p);

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
void iota_arcs_end(struct iota_picture *p);
void iota_arcs_free(struct iota_picture *p);

/* ---- frames.c ---- */
/* The node from which the call was made; SIZE_MAX: not known. */
size_t iota_node_of(struct iota_picture *p, const struct iotr_call *call);
void iota_nodes_free(struct iota_picture *p);

#endif
