/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h - operations of one queue that are in flight, in the order in which they came: line.c.
 *
 * Most end in that order, or nearly, and those of a queue that is not deep are found in less
 * memory and with less work than in the table of all (operation.h).  What does not find a place
 * in the line is there.  A forked child finds it empty, as the table (iot_map_wiped).
 */
#ifndef IOT_LINE_H
#define IOT_LINE_H

#include "operation.h"

#pragma GCC visibility push(hidden)

#define IOT_LINE 128u

struct iot_line {
	uint64_t gone, came;		/* those from gone on, before came, stand in it, or have left */
	uint32_t elsewhere;		/* so many of the queue are in the table */
	uintptr_t name[IOT_LINE];
	struct iot_line_place {
		uint64_t state;		/* which one, and how it is there */
		uint64_t op[IOT_OPERATION_HEAD / sizeof(uint64_t)];
	} place[IOT_LINE];
};

/* As iot_operation_begin, of one that repeats. */
void iot_line_begin(struct iot_line *l, struct iot_operation *op);
/* As iot_operation_take, without a copy if that can be: where it stands in the line, or in room.
   NULL: there is none.  It is in flight until iot_line_leave; stays: and then again, for another
   end.  What is behind IOT_OPERATION_HEAD is not there. */
const struct iot_operation *iot_line_take(struct iot_line *l, uintptr_t queue, uintptr_t name, struct iot_operation *room);
void iot_line_leave(struct iot_line *l, const struct iot_operation *op, const struct iot_operation *room, bool stays);
/* As iot_operation_drop, iot_operations_each. */
bool iot_line_drop(struct iot_line *l, const struct iot_operation *op);
void iot_line_each(struct iot_line *l, uintptr_t queue, void (*what)(const struct iot_operation *, void *), void *with);

#pragma GCC visibility pop

#endif
