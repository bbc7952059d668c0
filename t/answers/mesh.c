/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh.c - reads a mesh, which has a head of four numbers and then its nodes, and computes
 * its centre.
 *
 * build: iocc
 * as: clay
 * input: { head -c 32 /dev/zero; seq 1 90000; } >mesh.bin
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NODES 16000

struct node {
	int64_t id;
	double at[2];
};

static void get(int fd, void *to, size_t size)
{
	char *at = to;

	while (size) {
		ssize_t n = read(fd, at, size);

		if (n <= 0)
			err(1, "mesh.bin");
		at += n;
		size -= (size_t)n;
	}
}

static int64_t get_number(int fd)
{
	int64_t n;

	get(fd, &n, sizeof(n));
	return n;
}

static void get_nodes(int fd, struct node *node)
{
#ifdef FIXED
	get(fd, node, NODES * sizeof(*node));
#else
	for (int i = 0; i < NODES; i++)
		get(fd, &node[i], sizeof(node[i])); /* FINDING small-reads mesh.bin */
#endif
}

int main(void)
{
	struct node *node = malloc(NODES * sizeof(*node));
	int fd = open("mesh.bin", O_RDONLY);
	int64_t head[4], centre = 0;

	if (!node || fd < 0)
		err(1, "mesh.bin");
	for (int i = 0; i < 4; i++)
		head[i] = get_number(fd);
	get_nodes(fd, node);
	close(fd);
	for (int i = 0; i < NODES; i++)
		centre += node[i].id % 1000;
	printf("%lld %lld\n", (long long)head[0], (long long)centre / NODES);
	free(node);
	return 0;
}
