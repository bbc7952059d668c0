/* SPDX-License-Identifier: BSD-3-Clause */
/* dir.c - directory streams and what walks directories. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show.h"

static int seen, in_place;

static int on_ftw(const char *path, const struct stat *st, int type)
{
	seen += strlen(path) + (st->st_size > 0) + type;
	return access(path, R_OK);
}

static int on_nftw(const char *path, const struct stat *st, int type, struct FTW *f)
{
	seen += f->level;
	return on_ftw(in_place ? path + f->base : path, st, type);
}

static int no_dots(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void populate(void)
{
	char name[64];
	int i;

	mkdir("d", 0755);
	mkdir("d/sub", 0755);
	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "d/%sfile-%02d", i & 1 ? "sub/" : "", i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
}

static void streams(void)
{
	struct dirent ent, *res;
	struct dirent64 ent64, *res64;
	DIR *d = PTR(opendir("d"));
	long pos;
	int n = 0;

	PTR(opendir("missing"));
	PTR(opendir("d/file-00"));
	OK(dirfd(d));
	PTR(readdir(d));
	PTR(readdir64(d));
	pos = telldir(d);
	while (readdir(d))
		n++;
	SHOW(n);
	seekdir(d, pos);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	CODE(readdir_r(d, &ent, &res));
	CODE(readdir64_r(d, &ent64, &res64));
#pragma GCC diagnostic pop
	rewinddir(d);
	PTR(readdir(d));
	SHOW(closedir(d));
	d = PTR(fdopendir(open("d", O_RDONLY | O_DIRECTORY)));
	SHOW(closedir(d));
	PTR(fdopendir(-1));
	PTR(fdopendir(1));
}

static void walks(void)
{
	struct dirent **list;
	struct dirent64 **list64;
	char *const roots[] = { "d", NULL };
	char buf[4096];
	glob_t g;
	glob64_t g64;
	FTS *fts;
	int fd, n = 0;

	SHOW(scandir("d", &list, no_dots, alphasort));
	SHOW(scandir64("d", &list64, NULL, alphasort64));
	SHOW(scandir("missing", &list, NULL, NULL));
	fd = open("d", O_RDONLY | O_DIRECTORY);
	GNU(SHOW(scandirat(fd, "sub", &list, no_dots, versionsort)));
	SHOW(getdents64(fd, buf, sizeof(buf)) > 0);
	SHOW(getdents64(fd, buf, sizeof(buf)));
	SHOW(getdents64(-1, buf, sizeof(buf)));
	SHOW(ftw("d", on_ftw, 10));
	SHOW(ftw64("missing", (int (*)(const char *, const struct stat64 *, int))on_ftw, 10));
	SHOW(nftw("d", on_nftw, 2, FTW_DEPTH | FTW_PHYS));
	in_place = 1;
	SHOW(nftw("d", on_nftw, 1, FTW_CHDIR));
	SHOW(seen > 0);
	SHOW(glob("d/*/file-*[13]", 0, NULL, &g));
	SHOW(g.gl_pathc);
	SHOW(glob64("missing/*", GLOB_MARK, NULL, &g64));
	fts = fts_open(roots, FTS_PHYSICAL, NULL);
	while (fts_read(fts))
		n++;
	SHOW(n);
	SHOW(fts_close(fts));
	close(fd);
}

int main(void)
{
	populate();
	streams();
	walks();
	return 0;
}
