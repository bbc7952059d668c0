#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The programs that make every call of the table, built static and dynamic, PIE
# and not, and run by iotrace run: they do what they do without, and each call has
# the same record, but for what t/dynamic/differences.txt says and explains.  Those that
# are not PIE only with TEST_LONG=1.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
mkdir built

# run KIND COMMAND...: "prog", in an empty directory; leaves KIND.out, status and json
run()
{
	built=$1
	shift
	rm -rf in logs prog && mkdir in logs
	cp "built/$built" prog
	(cd in && IOTRACE_DIR="$T/logs" exec "$@" ../prog >../out 2>../err </dev/null) 2>/dev/null
	echo $? >"$built.status"
	cat out err >"$built.out"
	find logs -name '*.iotrace' | grep -q . &&
		"$IOTRACE_CAT" --format=json logs >"$built.json"
}

run_as()
{
	if [ "$1" = run ]; then
		run run "$top_builddir/tools/iotrace-run"
	else
		run "$1"
	fi
}

compare()
{
	perl "$top_srcdir/t/dynamic/compare.pl" "$top_builddir/table/calls.def" prog static.json "$kind.json" 2>&1 |
		if [ -n "${EXPLAIN-}" ]; then cat; else sort; fi
}

# standard error of the loader and of libc's checks names processes
# shellcheck disable=SC2317 # called by ok
alike()
{
	sed 's/[0-9]\{3,\}/N/g' "plain.out" >a
	sed 's/[0-9]\{3,\}/N/g' "$1.out" >b
	cmp a b && cmp plain.status "$1.status"
}

sed -n 's/^\([A-Za-z0-9_]*\t[^\t]*\)\t..*/\1/p' "$top_srcdir/t/dynamic/differences.txt" |
	tr '\t' ' ' | sort >allowed
ok 'differences have reasons' test "$(grep -c -v '^#' "$top_srcdir/t/dynamic/differences.txt")" = "$(wc -l <allowed)"
: >found
for src in "$top_srcdir"/t/progs/*.c "$top_srcdir"/t/progs/*.cc; do
	name=${src##*/}
	# names and ids that it makes are others each time; t/oracle/above.t has its calls
	[ "$name" != above.c ] || continue
	wrapper=$IOCC plain=$CC
	[ "${name%.cc}" = "$name" ] || wrapper=$IOCXX plain=$CXX
	name=${name%.*}
	# not optimised, since headers replace some calls by others
	if ! {
		"$wrapper" -static -g -O0 -o built/static "$src" -lpthread &&
			"$wrapper" -g -O0 -fPIE -pie -o built/pie "$src" -lpthread &&
			{ [ "${TEST_LONG:-0}" != 1 ] ||
				"$wrapper" -g -O0 -fno-pie -no-pie -o built/no-pie "$src" -lpthread; } &&
			$plain -g -O0 -o built/plain "$src" -lpthread && cp built/plain built/run
	} >said 2>&1; then
		fail "$name compiles"
		diag_file said
		continue
	fi
	IOTRACE=off run plain
	run static
	for kind in pie no-pie run; do
		[ "${TEST_LONG:-0}$kind" != 0no-pie ] || continue
		run_as "$kind"
		ok "$name, $kind: does the same" alike "$kind"
		compare >differ
		# what depends on time is another when it is done again
		for again in 1 2; do
			comm -13 allowed differ | grep -q . || break
			run static
			run_as "$kind"
			compare | comm -12 differ - >differ.$again
			mv differ.$again differ
		done
		cat differ >>found
		comm -13 allowed differ >new
		ok "$name, $kind: has the same records" test ! -s new || {
			diag_file new
			EXPLAIN=1 compare | diag_file /dev/stdin
		}
		# nobody calls what is noted of asynchronous operations
		if grep '"internal":true' "$kind.json" |
			grep -E -q -v '"status":"inferred"|"call":"(request|completion|collection)"'; then
			fail "$name, $kind: no call is marked as libc's own"
		else
			pass "$name, $kind: no call is marked as libc's own"
		fi
	done
done
sort -u found | comm -23 allowed - >stale
ok 'differences.txt has no difference that there is not' test ! -s stale || diag_file stale
done_testing
