/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anvil.c - appends records to a store whose head says how many there are.
 *
 * build: iocc -static
 * as: thermostat
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define RECORDS 3000
#define RECORD	8192

static struct {
	uint64_t magic, records;
	char title[48];
} head = {.magic = 0x616e76696c, .title = "blows"};

static void put_head(int fd)
{
	if (pwrite(fd, &head, sizeof(head), 0) != sizeof(head)) /* FINDING overwritten blows.store */
		err(1, "blows.store");
}

static void append(int fd, const char *record)
{
	if (write(fd, record, RECORD) != RECORD)
		err(1, "blows.store");
	head.records++;
#ifndef FIXED
	put_head(fd); /* FINDING overwritten blows.store */
#endif
}

int main(void)
{
	static char record[RECORD];
	int fd = open("blows.store", O_RDWR | O_CREAT | O_TRUNC, 0666);

	if (fd < 0)
		err(1, "blows.store");
	put_head(fd);
	lseek(fd, sizeof(head), SEEK_SET);
	for (int i = 0; i < RECORDS; i++) {
		memset(record, i, sizeof(record));
		append(fd, record);
	}
	put_head(fd);
	return close(fd);
}
