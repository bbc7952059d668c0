#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# iotrace.h and its Fortran module: regions nest and end as they should, pauses
# pause; without a recorder nothing happens and nothing has to be linked.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# tree: "DEPTH CALL BYTES ARGS STATUS" of regions, marks and writes, by start
tree()
{
	by_column '$call ~ /^(region|mark|pause|resume)$/ || $call == "write" { print $depth, $call, $ret, $args, $status }' "$T/calls" |
		sed 's/{"[a-z]*":"\([^}]*\)"}/\1/; s/  */ /g; s/ *$//'
}

# shows DESCRIPTION, and on standard input what tree should say
shows()
{
	cat >"$T/expected"
	tree >"$T/tree"
	same "$1" "$T/tree" "$T/expected"
}

build regions -lpthread

both regions order
sound order
shows 'regions end by name, and those inside with them' <<'EOT'
0 region a
1 write 1
1 region b abandoned
2 write 2
0 write 3
0 region
1 region same
2 region same
3 mark errno
2 write 4
0 write 5
EOT

both regions callback
sound callback
shows 'a region ends with the call around it' <<'EOT'
1 region in callback abandoned
2 write 1
2 region in callback abandoned
3 write 1
3 region in callback abandoned
4 write 1
EOT

both regions jump
sound jump
shows 'longjmp ends no region but those of the calls that it leaves' <<'EOT'
0 region around
1 region before
2 write 1
2 region left abandoned
1 write 2
0 write 3
EOT
count 'longjmp leaves the call' '$call == "scandir" && $status == "abandoned"' 1

both regions deep
cat_logs
count 'as many regions as there are slots' '$call == "region"' 33
is 'the others are counted' "$(lost)" 8
like 'and the reason given' "$T/cat.err" 'regions nested too deep'
count 'begin and end fit when there are more' '$call == "write" && $ret == 2 && $depth == 0' 1
count 'and afterwards' '$call == "write" && $ret == 3 && $depth == 1' 1

both regions threads
sound threads
count 'a region is one thread'"'s" '$call == "write" && $ret == 1 && $depth == 1' 2
count 'one without end ends with its thread' '$call == "region" && $args ~ /unended/ && $status == "abandoned" && $depth == 1' 2
count 'others do not notice' '$call == "region" && $args ~ /main/ && $status == ""' 1

both regions fork
sound fork
by_column '!parent { parent = $pid } $pid != parent' "$T/calls" >"$T/child"
mv "$T/child" "$T/calls"
shows 'a forked child is in the regions that it was forked in' <<'EOT'
0 region parent's
1 region both
2 write 1
1 write 2
0 write 3
EOT

both regions handler
sound handler
count 'a handler has regions' '$call == "region" && $args ~ /handler/ && $status == ""' \
	"$(how_many '$call == "write" && $ret == 1 && $depth > 0')"
count 'its calls are in them' '$call == "write" && $ret == 1 && $depth == 0' 0
count 'that interrupt none' '$call == "region" && $args ~ /busy/ && $status == ""' 3000
count 'none is left open' '$call == "region" && $status != ""' 0

both regions pause
sound pause
parent=$(by_column '{ print $pid; exit }' "$T/calls")
count 'what is done while it is paused is not recorded' '$call == "write"' 3
count 'what came before is' '$call == "write" && $ret == 1 && $offset == 0' 1
count 'what comes after has its place' '$call == "write" && $ret == 6 && $pid == '"$parent"' && $offset == 22' 1
count 'a forked child is paused as well' '$call == "write" && $ret == 4' 0
count 'until it resumes' '$call == "write" && $ret == 5 && $pid != '"$parent" 1
count 'a mark is recorded all the same' '$call == "mark"' 1

both regions first
sound 'paused first'
count 'a program may begin with a pause' '$call == "open"' 0
count 'and says so' '$call == "pause"' 1

run_plain regions kill
run regions kill
sound killed
count 'killed in a region: the log says in which' '$call == "region" && $args ~ /killed/ && $status == "unfinished"' 1
"$IOTRACE_CAT" "$logs" >"$T/text"
like 'and so does the text' "$T/text" '^region\("killed", <unfinished'

(IOTRACE_CALLS=posix && export IOTRACE_CALLS && run regions order)
sound 'IOTRACE_CALLS'
count 'a family of their own' '$family == "user" || $depth != 0' 0
(IOTRACE_CALLS=posix && export IOTRACE_CALLS && run regions pause)
sound 'IOTRACE_CALLS, paused'
count 'which pauses do not need' '$call == "write" && ($ret == 1 || $ret == 6)' 2

# --- languages, and programs that are not recorded -----------------------------
cd "$T" || exit 99
include=$top_srcdir/include
cat >all.c <<'EOT'
#include <stdio.h>
#include <unistd.h>
#include <iotrace.h>

int main(void)
{
	iotrace_begin("region");
	if (write(1, "written\n", 8) != 8)
		return 1;
	iotrace_mark("mark");
	iotrace_end("region");
	iotrace_pause();
	iotrace_resume();
	return 0;
}
EOT
cat >all.cc <<'EOT'
#include <unistd.h>
#include <iotrace.h>

int main()
{
	try {
		iotrace::region r("region");
		if (write(1, "written\n", 8) != 8)
			return 1;
		throw 1;
	} catch (int) {
		iotrace_mark("mark");
	}
	return 0;
}
EOT
# plain NAME COMPILER ARGUMENT...: compiles without a word, and runs
plain()
{
	name=$1
	shift
	ok "$name: compiles without us" "$@" -o plain-all
	ok "$name: no warnings" test ! -s "$T/.said"
	is "$name: runs" "$(./plain-all 2>&1)" written
}
# recorded NAME COMMAND...: the region is in the log
recorded()
{
	name=$1
	shift
	rm -rf logs
	mkdir logs
	is "$name: runs recorded" "$(IOTRACE_DIR=$T/logs "$@" 2>&1)" written
	cat_logs
	count "$name: has its region" '$call == "region" && $args ~ /"region"/ && $status == ""' 1
	count "$name: the write is in it" '$call == "write" && $ret == 8 && $depth >= 1' 1
}
run_tool=$top_builddir/tools/iotrace-run
for options in '-O0' '-O2' '-O2 -no-pie -fno-pie' '-std=c99 -pedantic -O1' '-O2 -fPIE -pie -fno-plt'; do
	# shellcheck disable=SC2086 # several options
	{
		plain "C $options" "$CC" $options -Wall -Wextra -Werror -I"$include" all.c
		recorded "iotrace run, C $options" "$run_tool" ./plain-all
		ok "C $options: compiles with iocc" "$IOCC" $options -I"$include" all.c -o all
		recorded "iocc $options" ./all
	}
done
plain 'C, static' "$CC" -static -I"$include" all.c
ok 'iocc, static: compiles' "$IOCC" -static -I"$include" all.c -o all
recorded 'iocc, static' ./all
for linker in lld gold mold; do
	ok "iocc, static, $linker: compiles" "$IOCC" -static -fuse-ld=$linker -I"$include" all.c -o all
	recorded "iocc, static, $linker" ./all
done
plain 'C++' "$CXX" -std=c++98 -pedantic -Wall -Wextra -Werror -I"$include" all.cc
recorded 'iotrace run, C++' "$run_tool" ./plain-all
ok 'iocxx: compiles' "$IOCXX" -static -I"$include" all.cc -o all
recorded 'iocxx, static' ./all

if [ -z "${FC-}" ]; then
	skip 'Fortran' 'configure found no Fortran compiler'
	done_testing
fi
cat >all.f90 <<'EOT'
program all
  use iotrace
  implicit none
  call iotrace_begin('region ')
  write (6, '(A)') 'written'
  flush (6)
  call iotrace_mark('mark')
  call iotrace_end()
  call iotrace_pause()
  call iotrace_resume()
end program all
EOT
module=$top_srcdir/fortran/iotrace.f90
for options in '-O0' '-O2 -std=f2008' '-no-pie -fno-pie' '-static'; do
	# shellcheck disable=SC2086 # several options
	{
		plain "Fortran $options" "$FC" $options -Wall -Wextra -Werror "$module" all.f90
		[ "$options" = -static ] || recorded "iotrace run, Fortran $options" "$run_tool" ./plain-all
		ok "Fortran $options: compiles with the recorder" \
			env IOCC_CC="$FC" "$IOCC" $options "$module" all.f90 -o all
		recorded "Fortran $options" ./all
	}
done
done_testing
