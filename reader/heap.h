/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.h - streams, the one whose call comes next on top. */
#ifndef IOT_HEAP_H
#define IOT_HEAP_H

#include "read.h"

struct iot_node {
	uint64_t ns;
	uint64_t order; /* log and stream: keeps equal times in one order */
	struct iot_stream *stream;
};

static inline bool iot_node_before(const struct iot_node *a, const struct iot_node *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->order < b->order;
}

static inline void iot_heap_down(struct iot_node *heap, size_t n, size_t i)
{
	struct iot_node x = heap[i];

	for (;;) {
		size_t c = 2 * i + 1;

		if (c >= n)
			break;
		if (c + 1 < n && iot_node_before(&heap[c + 1], &heap[c]))
			c++;
		if (!iot_node_before(&heap[c], &x))
			break;
		heap[i] = heap[c];
		i = c;
	}
	heap[i] = x;
}

#endif
