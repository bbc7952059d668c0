/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.h - streams, the one whose call comes next on top. */
#ifndef IOTR_HEAP_H
#define IOTR_HEAP_H

#include "log-data.h"

struct iotr_node {
	uint64_t ns;
	uint64_t order; /* log and stream: keeps equal times in one order */
	struct iotr_stream *stream;
};

static inline bool iotr_node_before(const struct iotr_node *a, const struct iotr_node *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->order < b->order;
}

static inline void iotr_heap_down(struct iotr_node *heap, size_t n, size_t i)
{
	struct iotr_node x = heap[i];

	for (;;) {
		size_t c = 2 * i + 1;

		if (c >= n)
			break;
		if (c + 1 < n && iotr_node_before(&heap[c + 1], &heap[c]))
			c++;
		if (!iotr_node_before(&heap[c], &x))
			break;
		heap[i] = heap[c];
		i = c;
	}
	heap[i] = x;
}

#endif
