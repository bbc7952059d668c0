/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trellis.c - every record is sought, though the stream stands there already.
 *
 * build: iocc
 * input: dd if=/dev/zero of=cube.dat bs=1M count=16 2>/dev/null
 * as: frames
 */
#include <stdio.h>
#include <stdlib.h>
struct store { FILE *f; int seek; };
static __attribute__((noinline)) void fetch(struct store *s, long i, void *p, size_t n)
{
	if (s->seek && fseek(s->f, i * (long)n, SEEK_SET)) /* FINDING stream-seeks|idle-seeks cube.dat */
		exit(1);
	if (fread(p, 1, n, s->f) != n)
		exit(1);
}
static __attribute__((noinline)) double all(struct store *s, int n)
{
	double sum = 0, r[16];
	for (int i = 0; i < n; i++) {
		fetch(s, i, r, sizeof(r)); /* FINDING stream-seeks|idle-seeks|reread cube.dat */
		sum += r[3];
	}
	return sum;
}
int main(void)
{
	struct store s = { fopen("cube.dat", "r"), 1 };
#ifdef FIXED
	s.seek = 0;
#endif
	printf("%g\n", all(&s, 100000));
	fclose(s.f);
	return 0;
}
