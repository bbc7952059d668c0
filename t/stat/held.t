#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Descriptors that a program keeps open since it needs them are no leak.  Those that it forgets are one, beside others
# that it keeps, too.
. "${0%/*}/../lib/tap.sh"

"$IOCC" -pthread -g -O2 -o "$T/held" "$top_srcdir/t/stat/held.c" || exit 1
cd "$T" || exit 1

# leaks WAY: how many descriptors are said to leak
leaks()
{
	rm -rf logs file.* && mkdir logs && IOTRACE_DIR=$T/logs ./held "$1" &&
		COLUMNS=200 "$IOTRACE_STAT" --no-progress logs/* >found || return 1
	sed -n 's/.*: \([0-9]*\) descriptors were never closed$/\1/p' found | grep . || echo 0
}

for way in cache together threads; do
	is "$way: none is forgotten" "$(leaks $way)" 0
done
is 'each is used, and forgotten' "$(leaks each)" 40
is 'the first is used at the end again' "$(leaks first-at-the-end)" 40
# of the last some are still in use
for way in cache-never-closes batches; do
	n=$(leaks $way)
	ok "$way: most of 200 are forgotten, and not more ($n)" test "$n" -gt 120 -a "$n" -le 200
done
n=$(leaks cache-closes-most)
ok "cache-closes-most: those that it does not close are forgotten, and no others ($n)" test "$n" -gt 20 -a "$n" -le 40
done_testing
