#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# chdir(2) to a relative name: the log has the name from the directory that the program left, also if
# nothing had asked for that before.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
src=$top_srcdir/t/recorder/chdir.c

# shellcheck disable=SC2086 # CC may have options
ok 'compiles' $CC -g -O1 -o chdir-preloaded "$src" || done_testing
cp chdir-preloaded chdir-dispatched
ok 'compiles with iocc' "$IOCC" -g -O1 -o chdir-dynamic "$src"
ok 'compiles with iocc -static' "$IOCC" -static -g -O1 -o chdir-static "$src"
for form in static dynamic preloaded dispatched; do
	case $form in
	preloaded) with=$top_builddir/tools/iotrace-run ;;
	dispatched) with="$top_builddir/tools/iotrace-run --syscalls" ;;
	*) with= ;;
	esac
	rm -rf logs in && mkdir -p logs in/one/two/own
	# shellcheck disable=SC2086 # no words, or several
	(cd in && IOTRACE_DIR=$T/logs $with ../chdir-$form) >said
	is "$form: runs" $? 0
	# "." and what is behind the last slash are no part of a name
	sed 's,/\.*/*$,&,; s,/\./$,,' said >expected
	"$IOTRACE_CAT" --format=json -e chdir logs | sed -n 's/.*"path":"\([^"]*\)".*/\1/p' >names
	# a child's own directory is not asked for
	{ cat expected && echo own; } >want
	same "$form: the names are those of the directories" names want
done
done_testing
