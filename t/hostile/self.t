#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What looks for trouble finds it: results of random programs that are made wrong in one
# form, and logs that are spoilt, are reported, with the one operation that it takes.
. "${0%/*}/../lib/tap.sh"

found=$T/found
mkdir "$found"

# finds DESCRIPTION SPOIL OPERATION WHAT: what is wrong, wherever the operation is
finds()
{
	perl "$top_srcdir/t/hostile/check-hostile.pl" --seconds=100000 --programs=12 --seed=1 --oracle=0 --forms=static \
		--features=0 --spoil="$2" --found="$found" --bin="$T/bin" >"$T/out" 2>&1
	is "$1: found" $? 1
	like "$1: as what it is" "$T/out" "^FAILED: static, $4, seed [0-9]+, [12] operations"
	like "$1: with the operation" "$T/out" "$3"
}

finds 'another result' 'static:board:^\d+ umask = .*' '^[0-9]+: .*umask' board
finds 'another status' 'static:status:exited.*' 'expected|got' status
finds 'a spoilt log' 'static:log:^\d+ umask = .*' '^[0-9]+: .*umask' log
finds 'another offset' 'static:place:place write .*' '^[0-9]+: ' places

# the case is a program of its own
set -- "$found"/case-*-static.c
ok 'cases are kept' test -f "$1"
ok 'a case compiles' "$CC" -w -o "$T/case" "$1" -lpthread

# begins COMMAND: the case, started by a shell that has done COMMAND
# shellcheck disable=SC2317 # called by ok
begins()
{
	rm -rf "$T/in" && mkdir "$T/in" && cd "$T/in" || return
	(eval "$1" && exec "$T/case" </dev/null)
	ran=$?
	grep -a -o '.[0-9] begins' storm.board && return
	echo "status $ran"
	return 1
}

# shellcheck disable=SC2317 # called by ok
not_enough()
{
	! begins 'ulimit -n 256' >"$T/lacks" 2>&1 && grep 'storm: 1024 descriptors (ulimit -n)' "$T/lacks"
}

ok 'and runs by itself' begins :
ok 'also with descriptors that it inherits' begins 'exec 3</dev/null 7>out'
ok 'and with few that it may have' begins 'ulimit -S -n 256'
ok 'and with signals ignored' begins 'trap "" PIPE XFSZ USR1; umask 077'
# whoever may raise it
# shellcheck disable=SC3045 # dash and bash have it
if (ulimit -n 256 && ulimit -n 1024) 2>/dev/null; then
	ok 'also with fewer than it needs' begins 'ulimit -n 256'
else
	ok 'or it says what it lacks' not_enough
fi
done_testing
