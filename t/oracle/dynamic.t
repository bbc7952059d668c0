#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The oracle for dynamic programs, of which calls through symbols are seen: the test
# program of each family as an executable of iocc or under iotrace run, in turn, and some of
# Debian's programs as they are.  They do what they do without, and the log says what
# strace says.  Each program in each form: make check-long.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
mkdir bin plain pie no-pie

# agree WHAT PLAIN PROGRAM [ARGUMENT...]: both in directories that "input" makes, by one
# name, which they may print, and run again
agree()
{
	what=$1
	plain=$2
	traced=$3
	shift 3
	SELF=$T/bin/${plain##*/}
	export SELF
	for how in plain traced; do
		rm -rf in o && mkdir in o && cd in && input
		if [ $how = plain ]; then
			ln -sf "$plain" "$SELF"
			"$SELF" "$@" >../plain.out 2>../plain.err </dev/null
			echo $? >../plain.status
		else
			ln -sf "$traced" "$SELF"
			"$top_srcdir/t/lib/oracle" --dynamic ${without:+"--without=$without"} --dir=../o --report=../report -- "$SELF" "$@" \
				>../out 2>../err </dev/null
			agreed=$?
		fi 2>/dev/null
		cd .. && rm -rf in-$how && mv in in-$how
	done
	same "$what: standard output" out plain.out
	same "$what: standard error" err plain.err
	is "$what: exit status" "$(cat o/status)" "$(cat plain.status)"
	is "$what: the log says what strace says" "$agreed" 0 || diag_file report 60
	like "$what: of calls that there are" report '^inner [0-9].*, wrapper [0-9]'
	unlike "$what: none is made without libc" report '^inner.* raw [0-9]'
	diag "$(tail -n 3 report)"
}

input() { :; }

# forms: what to run a program as: each time as the next of these, or as all.  The first is one with which
# strace, which reads the tables of each program anew, has the least to do.
turn=no-pie
forms()
{
	if [ "${TEST_LONG:-0}" = 1 ]; then echo 'pie no-pie run'; else echo $turn; fi
}

for src in "$top_srcdir"/t/progs/*.c "$top_srcdir"/t/progs/*.cc; do
	name=${src##*/}
	wrapper=$IOCC compiler=$CC
	[ "${name%.cc}" = "$name" ] || wrapper=$IOCXX compiler=$CXX
	name=${name%.*}
	# what the recorder reads memory with
	without=process_vm_readv
	! grep -q $without "$src" || without=
	# shellcheck disable=SC2086 # CC may have options
	ok "$name compiles" $compiler -O1 -o "plain/$name" "$src" -lpthread || continue
	for form in $(forms); do
		traced=$T/$form/$name
		case $form in
		pie) ok "$name compiles with iocc" "$wrapper" -O1 -fPIE -pie -o "$traced" "$src" -lpthread || continue ;;
		no-pie) ok "$name compiles with iocc -no-pie" "$wrapper" -O1 -fno-pie -no-pie -o "$traced" "$src" -lpthread || continue ;;
		run) traced=$T/plain/$name ;;
		esac
		agree "$name, $form" "$T/plain/$name" "$traced"
	done
	case $turn in pie) turn=no-pie ;; no-pie) turn=run ;; run) turn=pie ;; esac
done

input()
{
	"$AWK" 'BEGIN { srand(1); for (i = 0; i < 4000; i++) print i, i % 97, rand() }' >text
	mkdir sub && cp text sub
	: >sub/empty
	touch -d 2020-01-01 text sub/text sub/empty sub
}

bzip2=$(readlink -f /bin/bzip2) sqlite3=$(readlink -f /usr/bin/sqlite3) dash=$(readlink -f /bin/dash)
ls=$(readlink -f /bin/ls) tar=$(readlink -f /bin/tar)
agree bzip2 "$bzip2" "$bzip2" -v text
ok 'bzip2: files' diff -r in-plain in-traced
agree ls "$ls" "$ls" -lR --time-style=+%F .
agree tar "$tar" "$tar" cf text.tar text sub
ok 'tar: files' diff -r in-plain in-traced
# shellcheck disable=SC2016 # dash's
agree dash "$dash" "$dash" -c 'read a <text; echo "$a" >x; cat x | wc -c; (echo sub; exit 3); echo $?
	ls sub | while read -r f; do echo "$f"; done; echo "$(cat x)" >>y'
ok 'dash: files' diff -r in-plain in-traced
agree sqlite3 "$sqlite3" "$sqlite3" db 'create table t(a, b);
	with recursive c(x) as (values(1) union all select x + 1 from c where x < 100)
		insert into t select x, hex(zeroblob(100)) from c;
	create index i on t(a); select count(*), sum(a) from t; delete from t where a % 3; vacuum;'
ok 'sqlite3: files' diff -r in-plain in-traced
done_testing
