/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * panels.c - updates what is known of solar panels, as they report.
 *
 * build: iocc -static
 * input: head -c 8M /dev/zero >panels.db
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef FIXED
#define PANEL 8192 /* what is known of a panel, and room, so that panels begin with blocks */
#else
#define PANEL 7000
#endif
#define PANELS	1000
#define REPORTS 600

static char panel[PANEL];

static void update(int fd, int number)
{
	panel[0]++;
	if (pwrite(fd, panel, PANEL, (off_t)number * PANEL) != PANEL) /* FINDING unaligned panels.db */
		err(1, "panels.db");
}

int main(void)
{
	int fd = open("panels.db", O_RDWR);

	if (fd < 0)
		err(1, "panels.db");
	for (int i = 0; i < REPORTS; i++)
		update(fd, i * 389 % PANELS); /* FINDING unaligned panels.db */
	return 0;
}
