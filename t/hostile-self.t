#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What looks for trouble finds it: results of random programs that are made wrong in one
# form, and logs that are spoilt, are reported, with the one operation that it takes.
. "${0%/*}/lib/tap.sh"

found=$T/found
mkdir "$found"

# finds DESCRIPTION SPOIL OPERATION WHAT: what is wrong, wherever the operation is
finds()
{
	perl "$top_srcdir/t/hostile/check-hostile.pl" --seconds=100000 --programs=12 --seed=1 --oracle=0 --forms=static \
		--features=0 --spoil="$2" --found="$found" >"$T/out" 2>&1
	is "$1: found" $? 1
	like "$1: as what it is" "$T/out" "^FAILED: static, $4, seed [0-9]+, [12] operations"
	like "$1: with the operation" "$T/out" "$3"
}

finds 'another result' 'static:board:^\d+ umask = .*' '^[0-9]+: .*umask' board
finds 'another status' 'static:status:exited.*' 'expected|got' status
finds 'a spoilt log' 'static:log:^\d+ umask = .*' '^[0-9]+: .*umask' log

# the case is a program of its own
set -- "$found"/case-*-static.c
ok 'cases are kept' test -f "$1"
ok 'a case compiles' "$CC" -w -o "$T/case" "$1" -lpthread
mkdir "$T/in"
(cd "$T/in" && "$T/case" </dev/null >/dev/null 2>&1)
ok 'and runs by itself' grep -q -a begins "$T/in/storm.board"
done_testing
