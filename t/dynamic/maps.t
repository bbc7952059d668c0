#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Code of shared libraries in stacks: of those that the program is linked with, and
# of plugins, closed again or not; and that who opens plugins by the thousand has
# each in the log once.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >plugin.c <<'C'
#include <unistd.h>

static __attribute__((noinline)) long inner(void)
{
	long n = write(1, "plugin\n", 7);

	__asm__ volatile("" : "+r"(n));
	return n;
}

long from_plugin(void);
long from_plugin(void)
{
	long n = inner();

	__asm__ volatile("" : "+r"(n));
	return n;
}
C
cat >lib.c <<'C'
#include <unistd.h>

long from_lib(void);
long from_lib(void)
{
	long n = write(1, "lib\n", 4);

	__asm__ volatile("" : "+r"(n));
	return n;
}
C
cat >main.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>

long from_lib(void);

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
		void *p = dlopen("./plugin.so", RTLD_NOW);
		long (*fn)(void) = p ? (long (*)(void))dlsym(p, "from_plugin") : NULL;

		if (!fn || fn() != 7 || dlclose(p))
			return 1;
	}
	return from_lib() != 4;
}
C
opts='-g -O2 -fno-omit-frame-pointer'
# shellcheck disable=SC2086 # options
{
	ok 'the plugin compiles' "$IOCC" $opts -fPIC -shared -o plugin.so plugin.c
	ok 'the library compiles' "$IOCC" $opts -fPIC -shared -o liblib.so lib.c
	ok 'the program compiles' "$IOCC" $opts -o main main.c -L. -llib "-Wl,-rpath,$T"
}

# traced NUMBER: its log is log.NUMBER
traced()
{
	rm -rf logs && mkdir logs
	exits "$1 plugins: runs" 0 env IOTRACE_DIR="$T/logs" ./main "$1"
	mv logs/*.iotrace "log.$1"
}

traced 2
"$IOTRACE_CAT" -k -e write log.2 >text 2>said
is 'nothing to complain of' "$(cat said)" ''
is 'functions and lines of the plugin' "$(grep -c 'inner.*plugin\.c:5' text) $(grep -c 'from_plugin.*plugin\.c:14' text)" '2 2' || diag_file text
is 'and of the library' "$(grep -c 'from_lib.*lib\.c:6' text)" 1
is 'and of the program' "$(grep -c 'main.*main\.c:' text)" 3
traced 3000
# three calls and a stack at most
ok 'thousands: each is no more than its calls' test "$(wc -c <log.3000)" -lt 600000 || diag "$(wc -c <log.3000) bytes"
# Names stand in the log as they are, a second time where a window was left for a larger one,
# and again where the plugin came to another place, since that window has its old one.
once=$(strings log.2 | grep -c 'plugin\.so$')
often=$(strings log.3000 | grep -c 'plugin\.so$')
ok 'the plugin has each of its places in the log once' test "$often" -ge "$once" -a "$often" -le $((8 * once)) ||
	diag "$once, $often"

# --- libraries that were not linked to begin at 0: what the loader says of them counts from an
# address below them, or, where they were linked to higher addresses than they come to lie at,
# from one above, at which addresses wrap around
run=$top_builddir/tools/iotrace-run
# shellcheck disable=SC2086 # options
ok 'a program compiles plainly' $CC $opts -o plain main.c -L. -llib "-Wl,-rpath,$T"
for at in 0x10000000 0x7fffe0000000 0xffffffffff700000; do
	# shellcheck disable=SC2086 # options
	ok "$at: the library is linked to there" $CC $opts -fPIC -shared "-Wl,-Ttext-segment=$at" -o liblib.so lib.c
	for how in main preloaded; do
		rm -rf logs && mkdir logs
		if [ "$how" = main ]; then set -- ./main; else set -- "$run" -o logs ./plain; fi
		exits "$at, $how: runs" 0 env IOTRACE_DIR="$T/logs" "$@"
		"$IOTRACE_CAT" -k -e write logs >text 2>said
		is "$at, $how: nothing to complain of" "$(cat said)" ''
		is "$at, $how: the library's function and its caller" \
			"$(grep -c 'from_lib.*lib\.c:6' text) $(grep -c 'main.*main\.c:' text)" '1 1' || diag_file text
	done
done

# --- after each other at the same address: the same code, by other names
sed 's/from_plugin/run_ann/; s/inner/inner_ann/; s/"plugin\\n", 7/"run", 3/' plugin.c >ann.c
sed 's/ann/bob/' ann.c >bob.c
cat >turns.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	void *at = NULL;

	for (int i = 1; i < argc; i++) {
		char file[40], name[40];
		void *p;
		long (*fn)(void);

		snprintf(file, sizeof(file), "./%s.so", argv[i]);
		snprintf(name, sizeof(name), "run_%s", argv[i]);
		p = dlopen(file, RTLD_NOW);
		fn = p ? (long (*)(void))dlsym(p, name) : NULL;
		if (!fn || fn() != 3 || dlclose(p))
			return 1;
		if (at && at != (void *)fn)
			return 2;
		at = (void *)fn;
	}
	return 0;
}
C
for name in ann bob; do
	# shellcheck disable=SC2086 # options
	ok "$name compiles" $CC $opts -fPIC -shared -o $name.so $name.c
done
# shellcheck disable=SC2086 # options
ok 'what opens them compiles' "$IOCC" $opts -o turns turns.c
turns='ann bob bob ann bob ann'
rm -rf logs && mkdir logs
# shellcheck disable=SC2086 # words
exits 'they get the same address' 0 env IOTRACE_DIR="$T/logs" ./turns $turns
for turn in $turns; do
	echo "inner_$turn run_$turn"
done >want
"$IOTRACE_CAT" -k -e write logs | sed -n 's/.*> \([a-z][a-z]*_[a-z]*\) .*/\1/p' | grep -v '^__' | paste -d' ' - - >got
same "as text: each call is its own plugin's" got want
"$IOTRACE_CAT" -k --format=json logs |
	sed -n '/"call":"write"/s/.*"stack":[^}]*"func":"\(inner_[a-z]*\)"[^}]*}[^}]*"func":"\([a-z]*_[a-z]*\)".*/\1 \2/p' >got
same 'as JSON' got want
"$IOTRACE_STAT" --by=site logs >text 2>said
for name in ann bob; do
	is "iotrace-stat: calls of $name" "$(sed -n "s/^ *\([0-9]*\) .* inner_$name (.*\/$name\.c:5)/\1/p" text)" 3 || diag_file text
done

# --- written anew: another module has the name, the inode and the address of the one before
cat >anew.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	void *at = NULL;
	ino_t inode = 0;

	for (int i = 1; i < argc; i++) {
		char command[60], name[40];
		struct stat st;
		void *p;
		long (*fn)(void);

		snprintf(command, sizeof(command), "cat %s.so >anew.so", argv[i]);
		snprintf(name, sizeof(name), "run_%s", argv[i]);
		if (system(command) || stat("anew.so", &st))
			return 1;
		p = dlopen("./anew.so", RTLD_NOW);
		fn = p ? (long (*)(void))dlsym(p, name) : NULL;
		if (!fn || fn() != 3 || dlclose(p))
			return 1;
		if (at && (at != (void *)fn || inode != st.st_ino))
			return 2;
		at = (void *)fn;
		inode = st.st_ino;
	}
	return 0;
}
C
# shellcheck disable=SC2086 # options
ok 'what opens a file that is written anew compiles' "$IOCC" $opts -o anew anew.c
for turns in 'ann bob' 'ann bob bob ann'; do
	rm -rf logs && mkdir logs
	# shellcheck disable=SC2086 # words
	exits "$turns: they get the same address" 0 env IOTRACE_DIR="$T/logs" ./anew $turns
	last=${turns##* }
	times=$(echo "$turns" | tr ' ' '\n' | grep -c "$last")
	"$IOTRACE_CAT" -k -e write logs >text 2>said
	is "$turns: calls of the module that is there have its functions" "$(grep -c "inner_$last" text)" "$times" || diag_file text
	is "$turns: all others have none" "$(grep -c '> inner_' text)" "$times" || diag_file text
	if [ "$last" = ann ]; then other=bob; else other=ann; fi
	"$IOTRACE_CAT" -k --symfs="$T/none" -e write logs >text 2>/dev/null
	mkdir -p "old$T" && cp "$other.so" "old$T/anew.so"
	"$IOTRACE_CAT" -k --symfs="$T/old" -e write logs >text 2>said
	is "$turns: and with a copy of the other one's file those have theirs" "$(grep -c "inner_$other" text)" \
		$(($(echo "$turns" | wc -w) - times)) || diag_file text
done
done_testing
