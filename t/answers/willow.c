/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * willow.c - a store of trees: after each tree its catalogue, at the file's beginning, is
 * written anew, by the same helper that stores the trees.
 *
 * build: iocc -static
 * as: otter
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TREES	400
#define TREE	(128 << 10)

static struct { long at[32768]; } catalogue; /* 256 KiB */
static int store;
static long end = sizeof(catalogue);

static void put_block(const void *p, size_t n, long at)
{
	if (pwrite(store, p, n, at) != (ssize_t)n)
		err(1, "forest.db");
}

static void add_tree(int n, char *tree)
{
	memset(tree, n, TREE);
	put_block(tree, TREE, end);
	catalogue.at[n] = end;
	end += TREE;
#ifndef FIXED
	put_block(&catalogue, sizeof(catalogue), 0); /* FINDING rewritten forest.db */
#endif
}

int main(void)
{
	char *tree = malloc(TREE);

	store = open("forest.db", O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (store < 0)
		err(1, "forest.db");
	for (int n = 0; n < TREES; n++)
		add_tree(n, tree);
	put_block(&catalogue, sizeof(catalogue), 0);
	return 0;
}
