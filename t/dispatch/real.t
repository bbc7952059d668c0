#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Real programs as they are installed, under iotrace run --syscalls, and one in
# assembly: they do what they do without, and strace saw what the logs say.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

# where NAME: the executable itself, not a script that chooses one
where()
{
	for exe_dir in /usr/bin /bin; do
		[ -x "$exe_dir/$1" ] && readlink -f "$exe_dir/$1" && return
	done
	echo "/usr/bin/$1"
}

# agree DESCRIPTION PROGRAM [ARGUMENT...]: in "in", made anew by "input"
agree()
{
	what=$1
	shift
	for how in plain traced; do
		rm -rf in o && mkdir in o && cd in && input
		if [ $how = plain ]; then
			"$@" >../plain.out 2>../plain.err </dev/null
			echo $? >../plain.status
		else
			"$top_srcdir/t/lib/oracle" --syscalls --dir=../o --report=../report -- "$@" \
				>../out 2>../err </dev/null
			agreed=$?
		fi
		cd .. && rm -rf in-$how && mv in in-$how
	done
	same "$what: output" out plain.out
	same "$what: standard error" err plain.err
	is "$what: status" "$(cat o/status)" "$(cat plain.status)"
	ok "$what: files" diff -r in-plain in-traced
	is "$what: agrees with strace" "$agreed" 0 || diag_file report
	like "$what: that is, calls that there are" report '^[0-9]{2,} calls agree in '
}

input()
{
	"$AWK" 'BEGIN { srand(1); for (i = 0; i < 10000; i++) print i, i % 97, rand() }' >text
}

bzip2=$(where bzip2) sqlite3=$(where sqlite3) python3=$(where python3) perl=$(where perl)
agree 'bzip2' "$bzip2" -v text
agree 'bzip2 to a pipe' /bin/sh -c "$bzip2 -c text | $bzip2 -d | cmp - text"
agree 'sqlite3' "$sqlite3" db 'create table t(a, b);
	with recursive c(x) as (values(1) union all select x + 1 from c where x < 3000)
		insert into t select x, hex(zeroblob(100)) from c;
	create index i on t(a); select count(*), sum(a) from t; delete from t where a % 3; vacuum;
	pragma journal_mode=wal; insert into t values(1, 2); select count(*) from t;'
agree 'python3 with threads and subprocesses' "$python3" -I "$top_srcdir/t/dispatch/threads.py"
# shellcheck disable=SC2016 # perl's
agree 'perl' "$perl" -e 'open F, "<", "text"; while (<F>) { $n++ } print "$n\n", `ls`;
	open P, "-|", "cat text"; print scalar(() = <P>), "\n"; close P;
	exit 3 if !fork; wait; print $? >> 8, "\n"'
# shellcheck disable=SC2086 # CC may have options
ok 'a program in assembly is built' $CC -nostartfiles -o raw "$top_srcdir/t/dispatch/raw.s"
agree 'raw system calls' "$T/raw"
like 'of its thread too' report ' calls agree in 4 threads, 0 differ'

cat >early.c <<'C'
#include <unistd.h>

/* As libgomp's: libc opens a file for it. */
__attribute__((constructor)) static void count_processors(void)
{
	sysconf(_SC_NPROCESSORS_CONF);
}

int early;
C
echo 'extern int early; int main(void) { return early; }' >after.c
# shellcheck disable=SC2086 # CC may have options
ok 'a library with a constructor is built' $CC -shared -fPIC -o libearly.so early.c
# shellcheck disable=SC2086
ok 'a program that needs it' $CC -o after after.c ./libearly.so -Wl,-rpath,"$T"
strace -o strace.out -e trace=openat,read,close ./after
sed -n '/sys.devices.system.cpu/,/^close/s/(.*//p' strace.out >seen
ok 'libc opens a file in the constructor' test -s seen
"$top_builddir/tools/iotrace-run" --syscalls -o early-logs ./after
"$top_builddir/tools/iotrace-cat" -e openat,read,close early-logs | sed 's/(.*//' >logged
same 'calls within libc, made by the constructor of a library' logged seen
done_testing
