#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What runs before and after main, of the program, of its libraries and of plugins that
# are closed again: resolvers of IFUNCs, preinit functions, constructors, destructors,
# and what exit and quick_exit call.  All of their calls are in the log, as strace saw
# them.  And whose a function is that was asked for by its name.  strace -k takes two seconds for
# each run: of executables at a fixed address one way to end is enough, TEST_LONG=1: all.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
run=$top_builddir/tools/iotrace-run
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >lib.c <<'C'
#include <stdlib.h>
#include <unistd.h>

static void at_exit_of_lib(void)
{
	(void)!write(1, NAME ": atexit\n", sizeof(NAME ": atexit\n") - 1);
}
__attribute__((constructor)) static void begins(void)
{
	(void)!write(1, NAME ": constructor\n", sizeof(NAME ": constructor\n") - 1);
	atexit(at_exit_of_lib);
}
__attribute__((destructor)) static void ends(void)
{
	(void)!write(1, NAME ": destructor\n", sizeof(NAME ": destructor\n") - 1);
}
int from_lib(void);
int from_lib(void)
{
	return 1;
}
C
cat >main.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int from_lib(void);
static void say(const char *s)
{
	(void)!write(1, s, strlen(s));
}

static int chosen(void) { return 7; }
static void *choose(void)
{
	char c;
	int fd = open("/dev/zero", O_RDONLY);

	return read(fd, &c, 1) == 1 && !close(fd) && getpid() > 0 ? (void *)chosen : NULL;
}
int seven(void) __attribute__((ifunc("choose")));

static void before(int argc, char **argv, char **env)
{
	(void)argc, (void)argv, (void)env;
	say("preinit\n");
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = before;
__attribute__((constructor(101))) static void begins_first(void) { say("constructor 101\n"); }
__attribute__((constructor)) static void begins(void) { say("constructor\n"); }
__attribute__((destructor)) static void ends(void) { say("destructor\n"); }
__attribute__((destructor(101))) static void ends_last(void) { say("destructor 101\n"); }
static void at_exit(void) { say("atexit\n"); }
static void at_exit_again(void) { say("exit within exit\n"); exit(3); }
static void on_exit_too(int status, void *arg) { (void)status; say(arg); }

int main(int argc, char **argv)
{
	void *p = dlopen("./plugin.so", RTLD_NOW);

	if (!p || dlclose(p) || seven() != 7 || from_lib() != 1)
		return 1;
	atexit(at_exit);
	on_exit(on_exit_too, "on_exit\n");
	if (argc > 1 && !strcmp(argv[1], "quick")) {
		at_quick_exit(at_exit);
		quick_exit(4);
	}
	if (argc > 1)
		atexit(at_exit_again);
	say("main\n");
	return 0;
}
C
cat >names.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

typedef ssize_t writes(int, const void *, size_t);

void from_library(void);
#ifdef LIBRARY
void from_library(void)
{
	((writes *)dlsym(RTLD_DEFAULT, "write"))(1, "library, default\n", 17);
	((writes *)dlsym(RTLD_NEXT, "write"))(1, "library, next\n", 14);
}
#else
int main(void)
{
	((writes *)dlsym(RTLD_DEFAULT, "write"))(1, "default\n", 8);
	((writes *)dlsym(dlopen(NULL, RTLD_NOW), "write"))(1, "program\n", 8);
	((writes *)dlsym(dlopen("./libnames.so", RTLD_NOW), "write"))(1, "plugin\n", 7);
	((writes *)dlsym(RTLD_NEXT, "write"))(1, "next\n", 5);
	((writes *)dlsym(dlopen("libc.so.6", RTLD_NOW), "write"))(1, "libc\n", 5);
	((writes *)dlvsym(RTLD_DEFAULT, "write", "GLIBC_2.2.5"))(1, "version\n", 8);
	from_library();
	return 0;
}
#endif
C
# shellcheck disable=SC2086 # CC may have options
{
	$CC -O1 -fPIC -shared '-DNAME="library"' lib.c -o lib.so &&
		$CC -O1 -fPIC -shared '-DNAME="plugin"' lib.c -o plugin.so &&
		$CC -O1 -fPIC -shared -DLIBRARY names.c -o libnames.so
} >said 2>&1
is 'libraries are built' $? 0 || diag_file said

# agrees ABOUT PROGRAM [ARGUMENT]
agrees()
{
	about=$1
	shift
	rm -rf o && mkdir o
	"$top_srcdir/t/lib/oracle" --dynamic --without=process_vm_readv --dir=o --report=report -- "$@" >got 2>&1
	is "$about: agrees with strace" $? 0 || diag_file report
	same "$about: output" got want
	is "$about: status" "$(cat o/status)" "$(cat want.status)"
	is "$about: each line's write is in the log" "$(grep -c '"call":"write".*"fd":1,' o/json)" "$(wc -l <want | tr -d ' ')"
	is "$about: what the IFUNC's resolver read" "$(grep -c '"call":"read","syscall":"read".*"path":"/dev/zero"' o/json)" 1
}

for link in '-fPIE -pie -Wl,-z,now' '-fno-pie -no-pie -Wl,-z,lazy'; do
	# shellcheck disable=SC2086 # several options
	{
		ok "$link: links" $CC -O1 $link main.c ./lib.so -o plain
		ok "$link: links with iocc" "$IOCC" -O1 $link main.c ./lib.so -o iocc
	}
	ends='return exit quick'
	case ${TEST_LONG:-0}$link in 0-fno-pie*) ends='exit' ;; esac
	for how in $ends; do
		[ "$how" != return ] || how=
		# shellcheck disable=SC2086 # none or one
		{
			./plain $how >want 2>&1
			echo $? >want.status
			agrees "$link $how, preloaded" ./plain $how
			agrees "$link $how" ./iocc $how
		}
	done
done

# --- who is recorded: see "What is not recorded" in iotrace(7)
# shellcheck disable=SC2086 # CC may have options
ok 'links' $CC -O1 names.c ./libnames.so -o plain
ok 'links with iocc' "$IOCC" -O1 names.c ./libnames.so -o iocc
for form in preloaded iocc; do
	rm -rf logs && mkdir logs
	if [ $form = iocc ]; then
		IOTRACE_DIR=$T/logs ./iocc >out
		next=
	else
		"$run" -o logs ./plain >out
		# the program comes before libiotrace.so
		next=5
	fi
	is "$form: all do what they are to" "$(tr '\n' '|' <out)" \
		'default|program|plugin|next|libc|version|library, default|library, next|'
	"$IOTRACE_CAT" --format=json logs | sed -n 's/.*"call":"write".*"size":\([0-9]*\),.*/\1/p' >sizes
	is "$form: by name, but not by RTLD_NEXT or of libc" "$(tr '\n' ' ' <sizes)" "8 8 ${next:+$next }17 "
done
done_testing
