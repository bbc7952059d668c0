/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.c - adds up the sizes of the files in a tree: each is asked for its size once.
 *
 * build: iocc
 * as: keeper
 * input: for d in $(seq 20); do mkdir -p tree/$d; for f in $(seq 60); do echo $f >tree/$d/$f; done; done
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static long long below(int fd)
{
	DIR *d = fdopendir(fd);
	struct dirent *e;
	struct stat st;
	long long sum = 0;

	if (!d)
		err(1, "fdopendir");
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			err(1, "%s", e->d_name);
		sum += S_ISDIR(st.st_mode) ? below(openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY))
					   : st.st_size;
	}
	closedir(d);
	return sum;
}

int main(void)
{
	printf("%lld\n", below(open("tree", O_RDONLY | O_DIRECTORY)));
	return 0;
}
