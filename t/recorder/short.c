/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * short.c - calls that are made by the thousand, and all that they may say.
 * short seeks: lseek; prints each call as iotrace-cat does, but for the time
 * short items: fwrite, fread and putc on a stream of its own, in a second thread
 * short deep: files opened by names in a directory that has a long one itself; prints it
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALLS 5000

static void seek(int fd, off_t by, int whence)
{
	static const char *const names[] = { "SEEK_SET", "SEEK_CUR", "SEEK_END", "SEEK_DATA", "SEEK_HOLE" };
	off_t at = lseek(fd, by, whence);

	printf("lseek(%d, %lld, %s) = %lld%s\n", fd, (long long)by, names[whence], (long long)at,
	       at >= 0 ? "" : errno == EINVAL ? " EINVAL (Invalid argument)" : errno == EBADF ?
	       " EBADF (Bad file descriptor)" : errno == ENXIO ? " ENXIO (No such device or address)" : "");
}

static int seeks(void)
{
	static const off_t by[] = { 0, 1, -1, 5000, -5000, (1 << 29) - 1, 1 << 29, -(1 << 29), -(1 << 29) - 1,
				    (1LL << 40) - 2, (1LL << 40) - 1, 1LL << 40, -(1LL << 40) };
	int fd = open("file", O_RDWR | O_CREAT, 0644);
	char bytes[100] = { 0 };

	if (fd < 0 || write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		return 1;
	for (int whence = SEEK_SET; whence <= SEEK_HOLE; whence++)
		for (size_t i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
			seek(fd, 1 << 10, SEEK_SET);
			seek(fd, by[i], whence);
			/* the offset is known behind it */
			if (read(fd, bytes, 7) < 0)
				return 1;
			seek(fd, 0, SEEK_CUR);
		}
	seek(99, 0, SEEK_SET);
	for (int i = 0; i < CALLS; i++)
		seek(fd, i * 4096L, SEEK_SET);
	for (int i = 0; i < CALLS; i++)
		seek(fd, 0, SEEK_CUR);
	return 0;
}

static void *items(void *arg)
{
	char bytes[24] = { 0 };
	FILE *f = fopen("file", "w+");

	for (int i = 0; f && i < CALLS; i++)
		if (fwrite(bytes, 8, 3, f) != 3 || putc('x', f) != 'x')
			return NULL;
	rewind(f);
	for (int i = 0; i < CALLS; i++)
		if (fread(bytes, 5, 5, f) != 5)
			return NULL;
	fclose(f);
	return arg;
}

static int deep(void)
{
	char name[260], *where;

	memset(name, 'd', 255);
	name[255] = 0;
	for (int i = 0; i < 14; i++)
		if (mkdir(name, 0755) || chdir(name))
			return 1;
	for (int i = 0; i < 600; i++) {
		int fd;

		sprintf(name, "f%d", i % 300);
		fd = open(name, O_RDWR | O_CREAT, 0644);
		if (fd < 0 || write(fd, "x", 1) != 1 || close(fd))
			return 1;
	}
	where = get_current_dir_name();
	puts(where ? where : "?");
	free(where);
	return 0;
}

int main(int argc, char **argv)
{
	void *result = NULL;
	pthread_t t;

	if (argc > 1 && !strcmp(argv[1], "seeks"))
		return seeks();
	if (argc > 1 && !strcmp(argv[1], "deep"))
		return deep();
	return pthread_create(&t, NULL, items, argv) || pthread_join(t, &result) || !result;
}
