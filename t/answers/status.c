/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.c - computes, and keeps a page of statistics for those who watch the program.
 *
 * build: iocc -static
 * as: thermostat
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define STEPS 8000

struct page {
	uint64_t step, sum, most;
	uint64_t seen[509];
};

static void publish(int fd, const struct page *page)
{
	if (pwrite(fd, page, sizeof(*page), 0) != sizeof(*page)) /* FINDING overwritten status.page */
		err(1, "status.page");
}

static void step(struct page *page)
{
	uint64_t x = page->step++ * 6364136223846793005u;

	page->sum += x >> 40;
	page->seen[x % 509]++;
	if (page->most < page->seen[x % 509])
		page->most = page->seen[x % 509];
}

int main(void)
{
	struct page page;
	int fd = open("status.page", O_RDWR | O_CREAT, 0666);

	if (fd < 0)
		err(1, "status.page");
	memset(&page, 0, sizeof(page));
	for (int i = 0; i < STEPS; i++) {
		step(&page);
#ifdef FIXED
		if (page.step % 4000 == 0)
#endif
			publish(fd, &page); /* FINDING overwritten status.page */
	}
	close(fd);
	return 0;
}
