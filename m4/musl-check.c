/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * musl-check.c - run by configure: whether musl's streams, directories, jump buffers
 * and what else the recorder looks at are as lib/core/libc.h and arch-jump.h have them.  Exits with 0 if
 * so, else with the number of what is not.
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libc.h"

static void must(bool holds, int number)
{
	if (!holds)
		_exit(number);
}

static void check_stream(void)
{
	static char buffer[512];
	FILE *fp = fopen("conftest.file", "w");
	const struct iot_musl_file *f = iot_musl_file(fp);

	must(fp && !setvbuf(fp, buffer, _IOFBF, sizeof(buffer)), 1);
	must(iot_fileno(fp) == fileno(fp) && f->flags & IOT_MUSL_SVB && !iot_ferror(fp), 2);
	must(fputs("hello", fp) >= 0 && f->wpos - f->wbase == 5 && !memcmp(f->wbase, "hello", 5), 3);
	must((char *)f->buf >= buffer && (char *)f->buf + f->buf_size == buffer + sizeof(buffer), 4);
	must(f->close && f->read && f->write && f->seek, 5);
	fgetc(fp);
	must(ferror(fp) && iot_ferror(fp), 6);
	fclose(fp);
	unlink("conftest.file");
	fp = popen("exit 0", "r");
	must(fp && iot_musl_file(fp)->pipe_pid > 1 && !pclose(fp), 7);
}

static void check_directory(void)
{
	DIR *dirp = opendir(".");
	const struct iot_musl_dir *dir = (const void *)dirp;

	must(dirp && iot_dirfd(dirp) == dirfd(dirp) && !dir->pos && !dir->end, 8);
	must(readdir(dirp) && dir->pos > 0 && dir->end >= dir->pos, 9);
	closedir(dirp);
}

static void check_attributes(void)
{
	pthread_attr_t attr;

	must(!pthread_attr_init(&attr) && !pthread_attr_setstacksize(&attr, 123 << 12), 11);
	must(iot_attr_stack_size(&attr) == 123 << 12, 12);
}

static void check_vector(void)
{
	const uint64_t *v = iot_libc_auxv();
	size_t n = 0;

	while (v && n < 64 && v[2 * n] != AT_PHDR && v[2 * n] != AT_NULL)
		n++;
	must(v && n < 64 && v[2 * n] == AT_PHDR && v[2 * n + 1] == getauxval(AT_PHDR), 13);
}

int main(void)
{
	jmp_buf env;

	check_stream();
	check_directory();
	check_attributes();
	check_vector();
	setjmp(env);
	must(((uintptr_t *)(void *)env)[6] - (uintptr_t)&env + 256 < 1024, 10);
	return 0;
}
