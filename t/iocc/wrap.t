#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that have a __wrap_NAME of their own, as tests with mock functions do: with
# --wrap in any spelling or without it, static and dynamic, by every compiler and linker.
# Their wrappers are called as without iocc, and what reaches the kernel is recorded.
# TEST_LONG=1: each compiler with each linker in each form; else gcc with bfd has all forms,
# gcc with other linkers the dynamic and the static one, clang with lld also LTO, and what
# is behind that is done with bfd and lld.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >main.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int said(void);

int main(void)
{
	char text[8];
	int fd = open("data", O_CREAT | O_TRUNC | O_RDWR, 0666);
	FILE *file = fopen("more", "w");

	if (write(fd, "12345", 5) != 5 || write(fd, "123", 3) != 3 || fsync(fd) || lseek(fd, 2, SEEK_SET) != 2)
		return 1;
	if (read(fd, text, sizeof(text)) != 6 || !file || fputs(text, file) < 0 || fclose(file))
		return 1;
	close(fd);
	return said() < 0;
}
C
cat >mock.c <<'C'
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

ssize_t __real_write(int fd, const void *buf, size_t count);
ssize_t __wrap_write(int fd, const void *buf, size_t count);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_fsync(int fd);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int said(void);

static int writes, opens, fopens;

ssize_t __wrap_write(int fd, const void *buf, size_t count)
{
	writes++;
	return __real_write(fd, buf, count);
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	opens++;
	return __real_open(path, flags, mode);
}

/* never reaches the kernel */
int __wrap_fsync(int fd)
{
	return fd < 0;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	fopens++;
	return __real_fopen(path, mode);
}

int said(void)
{
	return printf("writes %d opens %d fopens %d\n", writes, opens, fopens);
}
C
cat >none.c <<'C'
#include <stdio.h>
#include <unistd.h>

ssize_t __wrap_write(int fd, const void *buf, size_t count);
int __wrap_fsync(int fd);
int said(void);

static int writes, syncs;

ssize_t __wrap_write(int fd, const void *buf, size_t count)
{
	writes++;
	return write(fd, buf, count);
}

int __wrap_fsync(int fd)
{
	syncs++;
	return fsync(fd);
}

int said(void)
{
	return printf("writes %d syncs %d\n", writes, syncs);
}
C
wrap='-Wl,--wrap=write -Wl,--wrap=open,--wrap=fopen,--wrap=fsync'
# what becomes of the file, with and without an fsync that only pretends
cat >calls.mock <<'C'
open 3
write 5
write 3
lseek 2
read 6
close 0
C
sed '3a\
fsync 0' calls.mock >calls.none

run() # PROGRAM: in a directory of its own
{
	rm -rf in logs && mkdir in logs
	(cd in && IOTRACE_DIR=$T/logs "$T/$1" >"$T/out.$1" 2>&1; echo "status $?" >>"$T/out.$1")
}

# what the compiler may read
input=/dev/null

# compare ABOUT CALLS ARGUMENT...: the two programs do the same, and the second's calls are
# in its log; in a static one as strace says
compare()
{
	about=$1 calls=$2
	shift 2
	rm -f plain traced
	$IOCC_CC "$@" -o plain >said.plain 2>&1 <"$input"
	refused=$?
	"$IOCC" "$@" -o traced >said.traced 2>&1 <"$input"
	is "$about: links as without us" $? $refused || diag_file said.traced
	[ $refused = 0 ] || return
	run plain
	run traced
	same "$about: does the same" out.traced out.plain
	"$IOTRACE_CAT" --format=json logs 2>&1 |
		sed -n 's/.*"call":"\([a-z0-9_]*\)".*"path":"[^"]*\/data".*"ret":\(-\{0,1\}[0-9]*\).*/\1 \2/p' >got
	same "$about: calls" got "calls.$calls"
	case " $* " in
	*' -static '*)
		rm -rf in o && mkdir in o
		(cd in && "$top_srcdir/t/lib/oracle" --dir=../o --report=../report -- ../traced) >out 2>&1
		is "$about: the log says what strace says" $? 0 || { diag_file out; diag_file report; }
		;;
	esac
}

find_linkers
# of what is much the same with each
some=$linkers
[ "${TEST_LONG:-0}" = 1 ] || some=$(echo " $linkers " | grep -o -E ' (bfd|lld)' | tr '\n' ' ')

# forms COMPILER LINKER: the options of each form, a line each
forms()
{
	echo
	case ${TEST_LONG:-0}$1/$2 in
	1* | 0gcc/bfd) printf '%s\n' -static '-O2 -flto' '-O2 -flto -static' '-fPIE -static-pie' ;;
	0gcc/*) echo -static ;;
	0clang/lld) printf '%s\n' -static '-O2 -flto' ;;
	esac
}

# --- compilers, linkers, forms -----------------------------------------------------
for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		skip "$compiler" "not installed"
		continue
	fi
	export IOCC_CC=$compiler
	for linker in $linkers; do
		forms $compiler "$linker" >list
		while read -r options; do
			# shellcheck disable=SC2086 # several words
			set -- -fuse-ld="$linker" $options
			# shellcheck disable=SC2086
			compare "$compiler $* --wrap" mock "$@" main.c mock.c $wrap
			compare "$compiler $*, a source without --wrap" none "$@" main.c none.c
			# shellcheck disable=SC2086
			ok "$compiler $options: an object" $compiler $options -c none.c
			compare "$compiler $*, an object without --wrap" none "$@" main.c none.o
		done <list
	done
done

# --- spellings -----------------------------------------------------------------------
export IOCC_CC=gcc
for name in write open fopen fsync; do
	echo "--wrap=$name"
done >linker.rsp
sed 's/^/-Wl,/' linker.rsp >driver.rsp
ok 'an object' gcc -c main.c mock.c none.c
# of a name that somebody else looks for, an object in an archive is only found there
ok 'an archive' ar cr libnone.a none.o
for form in '' -static; do
	compare "$form -Xlinker --wrap=NAME" mock $form main.o mock.o -Xlinker --wrap=write -Xlinker --wrap=open \
		-Xlinker --wrap=fopen -Xlinker --wrap=fsync
	compare "$form -Xlinker --wrap -Xlinker NAME" mock $form main.o mock.o -Xlinker --wrap -Xlinker write \
		-Xlinker --wrap -Xlinker open -Wl,--wrap,fopen -Wl,-wrap,fsync
	compare "$form a response file" mock $form main.o mock.o @driver.rsp
	compare "$form a response file of the linker" mock $form main.o mock.o -Wl,@linker.rsp
	compare "$form inputs of the linker" none $form -Wl,main.o,none.o
	compare "$form a library" none $form main.o -L. -lnone
	compare "$form an archive" none $form main.o libnone.a
done
export IOCC_CC="gcc -Wl,--wrap=write,--wrap=open,--wrap=fopen,--wrap=fsync"
compare 'in the name of the compiler' mock -static main.o mock.o
export IOCC_CC=gcc
printf '%s\n' '#define OWN(name) __wrap_##name' '#include <unistd.h>' 'ssize_t OWN(write)(int fd, const void *p, size_t n);' \
	'ssize_t OWN(write)(int fd, const void *p, size_t n) { return write(fd, p, n) + 1; }' \
	'int said(void);' 'int said(void) { return 0; }' >macro.c
compare 'a name that a macro makes' none -static main.o macro.c

# --- not in the sources that are named -------------------------------------------------
mkdir inc deep
cp none.c inc/none.h
printf '#include "none.h"\n' >deep/deep.h
printf '#include "none.h"\n' >quoted.c
printf '# include <none.h>\n' >angled.c
printf '#include "deep/deep.h"\n' >deep.c
printf '#define HEADER "none.h"\n#include HEADER\n' >computed.c
printf 'int empty;\n' >empty.c
sed 's/__wrap_write/NAME/' none.c | grep -v fsync >given.c
for source in quoted angled deep computed; do
	compare "a header, $source" none -static main.o $source.c -Iinc
done
compare 'a header, -isystem' none -static main.o angled.c -isystem inc
compare 'a header, -isystemDIR' none -static main.o angled.c -isysteminc
compare 'a header, -iquote' none -static main.o quoted.c -iquote inc
compare 'a header, -idirafter' none -static main.o angled.c -idirafter inc
compare 'a header, -include' none -static main.o empty.c -include inc/none.h
export CPATH=inc
compare 'a header, CPATH' none -static main.o quoted.c
unset CPATH
compare 'a name that the command gives' none -static main.o given.c -DNAME=__wrap_write
input=none.c
compare 'standard input' none -static main.o -x c -
input=quoted.c
compare 'a header of standard input' none -static main.o -Iinc -x c -
input=/dev/null
for from in - /dev/stdin; do
	# shellcheck disable=SC2002 # it is the pipe that counts
	if cat none.c | $IOCC_CC -static main.o -x c $from -o plain && cat none.c | "$IOCC" -static main.o -x c $from -o traced; then
		run plain
		run traced
		same "a pipe, $from: does the same" out.traced out.plain
		is "a pipe, $from: writes are recorded" "$("$IOTRACE_CAT" --format=json logs | grep -c '"call":"write"')" 4
	else
		fail "a pipe, $from"
	fi
done
mkdir libs
mv libnone.a libs
export LIBRARY_PATH=libs
compare 'a library, LIBRARY_PATH' none -static main.o -lnone
unset LIBRARY_PATH

if [ -f "$top_builddir/lib/libiotrace-musl.a" ]; then
	export IOCC_CC="$IOT_MUSL_CC"
	# shellcheck disable=SC2086
	compare 'musl' mock -static main.c mock.c $wrap
	compare 'musl, without --wrap' none -static main.c none.c
	export IOCC_CC=gcc
else
	skip 'musl' 'no musl-gcc (Debian: musl-tools)'
fi

# --- what is no wrapper of ours ---------------------------------------------------
cat >strange.c <<'C'
#include <stdlib.h>
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
int said(void);
void *__wrap_malloc(size_t size)
{
	return __real_malloc(size);
}
int said(void)
{
	return !malloc(8);
}
C
compare 'malloc' none -static main.c strange.c -Wl,--wrap=malloc
"$IOCC" --iotrace-show -static main.c strange.c -Wl,--wrap=malloc >shown
like 'malloc: our own --wrap as ever' shown 'wrap\.list'

# --- every name ----------------------------------------------------------------------
# Wrappers that only pass on, in front of all that ours stand in front of
cat >every.c <<'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	char text[16];
	struct stat st;
	int n = 0, fd = open("data", O_CREAT | O_TRUNC | O_RDWR, 0666);
	FILE *file = fopen("more", "w+");
	DIR *dir;

	if (!file || fprintf(file, "hello %d\n", fd) < 0 || fseek(file, 0, SEEK_SET) || !fgets(text, sizeof(text), file))
		return 1;
	fputs(text, stdout);
	fclose(file);
	if (write(fd, "12345", 5) != 5 || pwrite(fd, "123", 3, 7) != 3 || pread(fd, text, 10, 0) != 10 || fsync(fd))
		return 1;
	if (dup2(fd, 20) != 20 || close(20) || fstat(fd, &st) || stat("data", &st) || lseek(fd, 1, SEEK_SET) != 1)
		return 1;
	if (read(fd, text, sizeof(text)) != 9 || close(fd))
		return 1;
	dir = opendir(".");
	while (dir && readdir(dir))
		n++;
	closedir(dir);
	printf("%d\n", n);
	fflush(stdout);
	if (!fork()) {
		puts("child");
		exit(3);
	}
	wait(&n);
	printf("%d\n", n);
	fflush(stdout);
	if (rename("more", "less") || unlink("less") || system("echo system"))
		return 1;
	return !getcwd(NULL, 0);
}
C
all_calls() # what the log of a run has
{
	"$IOTRACE_CAT" --format=json logs | sed 's/.*"depth":\([0-9]*\).*/& \1/; s/.*"call":"\([A-Za-z0-9_]*\)".* \([0-9]*\)$/\1 \2/' |
		sort | uniq -c
}
# those of libraries that the program does not link are left out
sed -n '/gfortran\|io_uring/d; s/^--wrap=//p' "$top_builddir/lib/wrap.list" | sort >names.static
sed -n 's/.* \(.*\)@@GLIBC_[0-9].*/\1/p' "$top_builddir/lib/libc-so.names" | sort -u >public
sort "$top_builddir/lib/dynamic.names" | comm -12 - public >names.dynamic
for form in static dynamic; do
	ok "$form: there are names" test "$(wc -l <names.$form)" -gt 300
	plt=@PLT options=
	[ $form = dynamic ] || { plt=; options=-static; }
	while read -r name; do
		printf '.globl __wrap_%s\n.type __wrap_%s,@function\n__wrap_%s: jmp __real_%s%s\n' \
			"$name" "$name" "$name" "$name" $plt
	done <names.$form >every-$form.S
	echo '.section .note.GNU-stack,"",@progbits' >>every-$form.S
	sed 's/^/--wrap=/' names.$form >every.rsp
	for linker in $some; do
		tap_about="$form, $linker, every name: "
		rm -f plain traced
		# shellcheck disable=SC2086
		set -- $options -fuse-ld="$linker" every.c
		ok 'links without us' $IOCC_CC "$@" every-$form.S -Wl,@every.rsp -o plain
		ok 'links' "$IOCC" "$@" every-$form.S -Wl,@every.rsp -o traced
		ok 'links unwrapped' "$IOCC" "$@" -o unwrapped
		run plain
		run unwrapped
		all_calls >want
		run traced
		all_calls >got
		same 'does the same' out.traced out.plain
		same 'and the log is that of a program that wraps nothing' got want
	done
done
tap_about=

# --- fortified calls -----------------------------------------------------------------
# libc's __read_chk does not call read: the program's wrapper sees nothing of it.
cat >fortified.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t __real_read(int fd, void *buf, size_t count);
ssize_t __wrap_read(int fd, void *buf, size_t count);

static int reads;

ssize_t __wrap_read(int fd, void *buf, size_t count)
{
	reads++;
	return __real_read(fd, buf, count);
}

int main(int argc, char **argv)
{
	char text[8];

	(void)argv;
	if (read(0, text, argc) != 0 || read(0, text, 8) != 0)
		return 1;
	return printf("%d\n", reads) < 0;
}
C
for form in '' -static; do
	for linker in $some; do
		# shellcheck disable=SC2086
		set -- $form -fuse-ld="$linker" -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 fortified.c -Wl,--wrap=read
		$IOCC_CC "$@" -o plain && "$IOCC" "$@" -o traced
		rm -rf logs
		mkdir logs
		is "$form $linker: fortified" "$(IOTRACE_DIR=logs ./traced </dev/null)" "$(./plain </dev/null)"
		is "$form $linker: both reads are recorded" "$("$IOTRACE_CAT" --format=json logs | grep -c '"call":"read"')" 2
	done
done

# --- shared libraries --------------------------------------------------------------
cat >lib.c <<'C'
#include <unistd.h>
ssize_t __real_write(int fd, const void *buf, size_t count);
ssize_t __wrap_write(int fd, const void *buf, size_t count);
ssize_t by_library(int fd);
int library_writes;
ssize_t __wrap_write(int fd, const void *buf, size_t count)
{
	library_writes++;
	return __real_write(fd, buf, count);
}
ssize_t by_library(int fd)
{
	return write(fd, "library\n", 8);
}
C
cat >user.c <<'C'
#include <stdio.h>
#include <unistd.h>
ssize_t by_library(int fd);
extern int library_writes;
int main(void)
{
	if (by_library(1) != 8 || write(1, "own\n", 4) != 4)
		return 1;
	return library_writes != WANT;
}
C
# one that leaves __wrap_write to the executable
cat >open-lib.c <<'C'
#include <unistd.h>
ssize_t __wrap_write(int fd, const void *buf, size_t count);
ssize_t by_library(int fd);
int library_writes;
ssize_t by_library(int fd)
{
	return __wrap_write(fd, "library\n", 8);
}
C
cat >open-user.c <<'C'
#include <unistd.h>
ssize_t __wrap_write(int fd, const void *buf, size_t count);
extern int library_writes;
ssize_t __wrap_write(int fd, const void *buf, size_t count)
{
	library_writes++;
	return write(fd, buf, count);
}
C
for linker in $some; do
	ok "$linker: a library that wraps" "$IOCC" -shared -fPIC -fuse-ld="$linker" lib.c -Wl,--wrap=write -o libown.so
	ok 'its user' "$IOCC" -DWANT=1 -fuse-ld="$linker" user.c -L. -lown "-Wl,-rpath,$T" -o user
	ok 'a user that wraps too, with the wrapper of the library' \
		"$IOCC" -DWANT=2 -fuse-ld="$linker" user.c -L. -lown "-Wl,-rpath,$T" -Wl,--wrap=write -o user2
	ok 'a library that calls a wrapper' "$IOCC" -shared -fPIC -fuse-ld="$linker" open-lib.c -o libopen.so
	ok 'its user, which has that' \
		"$IOCC" -DWANT=1 -fuse-ld="$linker" user.c open-user.c -L. -lopen "-Wl,-rpath,$T" -o user3
	for program in user user2 user3; do
		run $program
		is "$linker, $program: runs" "$(tr '\n' ' ' <out.$program)" 'library own status 0 '
		is "$linker, $program: its writes are recorded" "$("$IOTRACE_CAT" --format=json logs | grep -c '"call":"write"')" 2
	done
done

# --- C++ and Fortran -----------------------------------------------------------------
{ sed 's/^#define.*//' mock.c | grep '^#include'; echo 'extern "C" {'; grep -v '^#include' mock.c; echo '}'; } >mock.cc
sed 's/^int said(void);/extern "C" int said(void);/' main.c >main.cc
iocc=$IOCC
IOCC=$IOCXX IOCC_CC=${IOCXX_CXX:-g++}
for form in '' -static; do
	# shellcheck disable=SC2086
	compare "C++ $form" mock $form main.cc mock.cc $wrap
done
IOCC=$iocc IOCC_CC=gcc
if [ -x "$IOF90" ]; then
	cat >prog.f90 <<'F'
program prog
	character(20) :: line
	open(10, file='data')
	write(10, '(a)') 'hello'
	rewind(10)
	read(10, '(a)') line
	close(10)
	print '(a)', trim(line)
end program
F
	# one for each statement; the runtime calls some of these names itself
	sed -n 's/^--wrap=\(_gfortran_.*\)/\1/p' "$top_builddir/lib/fortran.list" >statements
	ok 'Fortran: there are statements' test "$(wc -l <statements)" -gt 10
	while read -r name; do
		printf '.globl __wrap_%s\n__wrap_%s: incl count(%%rip)\njmp __real_%s@PLT\n' "$name" "$name" "$name"
	done <statements >statement.S
	cat >>statement.S <<'S'
.globl counted_
counted_: movl count(%rip), %eax
ret
.bss
count: .long 0
.section .note.GNU-stack,"",@progbits
S
	sed "s/^counted_:.*/counted_: movl \$99, %eax/; /^.globl __/d; /^__/d; /^jmp/d" statement.S >none.S
	sed 's/^/--wrap=/' statements >statements.rsp
	sed 's/^\tprint .*/&\n\tprint *, counted()/; s/^\tcharacter.*/&\n\tinteger, external :: counted/' prog.f90 >counting.f90
	for linker in $some; do
		# gfortran's runtime is linked in alike by all linkers: with bfd in each form
		all=
		case ${TEST_LONG:-0}$linker in 1* | *bfd) all='-static-libgfortran -static' ;; esac
		for form in '' $all; do
			tap_about="Fortran, $linker $form: "
			# shellcheck disable=SC2086
			set -- -fuse-ld="$linker" $form
			ok 'a wrapper of write' "$IOF90" "$@" prog.f90 mock.c -Wl,--wrap=write \
				-Wl,--wrap=open -Wl,--wrap=fopen -o traced
			run traced
			is 'runs' "$(tr '\n' ' ' <out.traced)" 'hello status 0 '
			all_calls >want
			like 'statements are recorded' want ' 2 WRITE 0$'
			# shellcheck disable=SC2086
			ok 'without us' ${IOF90_FC:-gfortran} "$@" counting.f90 statement.S -Wl,@statements.rsp -o plain
			ok 'unwrapped' "$IOF90" "$@" counting.f90 none.S -o unwrapped
			ok 'a wrapper of each statement' "$IOF90" "$@" counting.f90 statement.S \
				-Wl,@statements.rsp -o traced 2>said
			is 'of which nothing is said' "$(cat said)" ''
			run plain
			run unwrapped
			all_calls >want
			run traced
			all_calls >got
			same 'runs as without us' out.traced out.plain
			same 'and the log is that of a program that wraps nothing' got want
		done
	done
	tap_about=
else
	skip 'Fortran' 'no Fortran compiler'
fi

# --- iotrace-audit -------------------------------------------------------------------
cat >raw.c <<'C'
#include <unistd.h>
ssize_t __wrap_write(int fd, const void *buf, size_t count);
int said(void);
ssize_t __wrap_write(int fd, const void *buf, size_t count)
{
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "0"(1L), "D"((long)fd), "S"(buf), "d"(count) : "rcx", "r11", "memory");
	return ret;
}
int said(void)
{
	return 0;
}
C
for linker in $some; do
	# shellcheck disable=SC2086
	ok "$linker: a program with wrappers" "$IOCC" -static -fuse-ld="$linker" main.c mock.c $wrap -o traced
	ok "$linker: nothing in it goes past ours" "$IOTRACE_AUDIT" traced
	ok "$linker: one that makes a system call of its own" "$IOCC" -static -fuse-ld="$linker" main.c raw.c -Wl,--wrap=write -o raw
	"$IOTRACE_AUDIT" raw >found 2>&1
	like "$linker: that is found" found '^__wrap_write  syscall write .* reached from main'
done

done_testing
