#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions and data of the program's own that have a call's name and nothing else of it: other
# arguments, other types, variables.  Whatever links them, the program says what it says
# without us, and its other calls are recorded.  TEST_LONG=1: by each linker, in each form.
# shellcheck disable=SC2016,SC2086 # awk; options: words

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >own.h <<'C'
struct big { long of[8]; };
int remove(int a, int b, int c);
double sync(double x);
struct big flock(struct big b, int k);
void warn(double d, const char *s);
int syslog(int a, int b, int c, int d, int e, int f, int g, int h);
int getline(char *s, int n);
int vprintf(int a, int b); /* which is what ours calls for printf() */
#ifndef FUNCTIONS
extern int wait, pipe[2];
#endif
C
cat >own.c <<'C'
#include "own.h"
extern int printf(const char *, ...);
int remove(int a, int b, int c) { return a + 10 * b + 100 * c; }
double sync(double x) { return 2 * x; }
struct big flock(struct big b, int k) { b.of[0] += k; return b; }
void warn(double d, const char *s) { printf("%g %s\n", d, s); }
int syslog(int a, int b, int c, int d, int e, int f, int g, int h) { return a + b + c + d + e + f + g + h; }
int getline(char *s, int n) { s[0] = 'x'; s[1] = 0; return n; }
int vprintf(int a, int b) { return a - b; }
#ifndef FUNCTIONS
int wait = 77, pipe[2] = { 5, 6 };
#endif
C
cat >main.c <<'C'
#include "own.h"
extern int printf(const char *, ...);
extern int creat(const char *, unsigned), close(int);
extern long write(int, const void *, unsigned long);
int main(void)
{
	struct big b = { { 1, 2, 3, 4, 5, 6, 7, 8 } };
	char s[8];
	int fd = creat("data", 0666), n = getline(s, 9);

	b = flock(b, 5);
	printf("%d %g %ld %ld %s %d\n", remove(1, 2, 3), sync(1.5), b.of[0], b.of[7], s, n);
	warn(2.5, "degrees");
	printf("%d %d\n", syslog(1, 2, 3, 4, 5, 6, 7, 8), vprintf(9, 4));
#ifndef FUNCTIONS
	printf("%d %d\n", wait, pipe[1]);
#endif
	return write(fd, s, 1) != 1 || close(fd) != 0;
}
C
quiet='-fno-builtin -w -O1'
# the file's calls, and none that the program has not made
cat >calls.expected <<'C'
creat 3
write 1
close 0
C

# plain ARG...: what the program says without us
plain()
{
	"$CC" $quiet "$@" -o plain && ./plain >plain.out
}

# says_same NAME PROGRAM...: run with us, it says the same, and its calls on the file are there
says_same()
{
	name=$1
	shift
	rm -f ./*.iotrace
	"$@" >out 2>&1
	is "$name: what it says" "$(cat out)" "$(cat plain.out)"
	"$IOTRACE_CAT" --format=raw ./*.iotrace 2>err | by_column '
		$call ~ /^(creat|close|remove|sync|flock|warn|syslog|getline|vprintf|wait|pipe)$/ ||
		($call == "write" && $path ~ /data$/) { print $call, $ret }' >calls
	is "$name: its calls" "$(cat calls err)" "$(cat calls.expected)"
}

# linked NAME ARG...
linked()
{
	name=$1
	shift
	rm -f program
	"$IOCC" $quiet "$@" -o program >link.out 2>&1 || diag "$(head -3 link.out)"
	says_same "$name" ./program
}

"$CC" $quiet -c own.c main.c && ar cr libown.a own.o && plain main.o own.o || exit 99
linked 'objects, static' -static main.o own.o
linked 'an archive, static' -static main.o libown.a
linked 'sources, static' -static main.c own.c
linked 'objects, dynamic' main.o own.o
"$CC" $quiet -flto -c own.c -o lto.o && "$CC" $quiet -flto -c main.c -o lto-main.o &&
	linked 'link-time optimization, static' -static -flto lto-main.o lto.o
if [ -n "${TEST_LONG-}" ]; then
	linked 'an archive, dynamic' main.o -L. -lown
	linked 'an archive by its name, static' -static main.o -L. -Wl,-l,own
	ar cr --thin libthin.a own.o
	linked 'a thin archive, static' -static main.o libthin.a
	ld -r main.o own.o -o both.o
	linked 'one object, static' -static both.o
	"$CC" $quiet -S own.c
	linked 'assembly, static' -static main.o own.s
	find_linkers
	for ld in $linkers; do
		linked "objects, static, $ld" -fuse-ld=$ld -static main.o own.o
		linked "objects, dynamic, $ld" -fuse-ld=$ld main.o own.o
	done
	sed 's/^int remove/int own_remove/' own.c >other.c
	linked 'a symbol that the linker is told, static' -static main.o other.c -Wl,--defsym,remove=own_remove
fi

# what a shared library of the program's has
"$CC" $quiet -DFUNCTIONS -shared -fPIC own.c -o libown.so && plain -DFUNCTIONS main.c -L. -lown -Wl,-rpath,"$T" ||
	exit 99
linked 'a shared library' -DFUNCTIONS main.c -L. -lown -Wl,-rpath,"$T"
says_same 'a shared library, preloaded' "$top_builddir/tools/iotrace" run ./plain

# one that stands in front of libc's functions is recorded as they are
cat >front.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
ssize_t write(int fd, const void *data, size_t n)
{
	ssize_t (*next)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");

	return next(fd, data, n);
}
C
"$CC" -shared -fPIC front.c -o libfront.so
plain -DFUNCTIONS main.c -L. -Wl,--no-as-needed -lfront -lown -Wl,-rpath,"$T"
says_same 'one in front of libc' "$top_builddir/tools/iotrace" run ./plain
# Several look into the sources: for wrappers, for definitions, for what links with them.
if command -v strace >/dev/null; then
	echo '#define STATUS 0' >status.h
	printf '#include "status.h"\nint main(void) { return STATUS; }\n' >includes.c
	ok 'a program that includes a header' strace -e trace=openat -o opened "$IOCC" -static -flto -o includes includes.c
	is 'iocc reads the header once' "$(grep -c 'status\.h"' opened)" 1
else
	skip 'how often iocc reads a header' 'no strace'
fi

done_testing
