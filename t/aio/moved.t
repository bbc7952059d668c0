#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program moves the ring of the kernel's asynchronous I/O, or unmaps it: it goes on as without iotrace,
# and requests in flight at that moment complete.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

# holds NAME HOW EXPECTED COMMAND...
holds()
{
	name=$1
	how=$2
	expected=$3
	shift 3
	rm -rf "$T/logs"
	mkdir "$T/logs"
	(cd "$T" && IOTRACE_DIR=$T/logs timeout 60 "$@" "$how") >"$T/out" 2>"$T/err"
	status=$?
	[ $status -ne 77 ] || skip_all 'the kernel has no asynchronous I/O'
	is "$name: runs" "$status" 0 || return
	"$IOTRACE_CAT" --format=json -e request,completion "$T/logs" 2>"$T/said" |
		perl -I"$top_srcdir/t/lib" -MLines=line -ne '$c = line($_); $op = $c->{args}{op};
			if ($c->{call} eq "request") { $request{$op}++; next }
			$n++; $known++ if delete $request{$op} && $c->{args}{since};
			END { printf "%d of %d known, %d go on\n", $known, $n, scalar(keys %request) }' >"$T/ends"
	is "$name: what is on record" "$(cat "$T/ends")" "$expected"
	none "$name: nothing is missing" "$T/said"
}

src=$top_srcdir/t/aio/moved.c
ok 'compiles, static' "$IOCC" -g -O2 -static -o "$T/static" "$src" || done_testing
ok 'compiles, dynamic' "$IOCC" -g -O2 -o "$T/dynamic" "$src" || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'compiles, without iotrace' $CC -g -O2 -o "$T/plain" "$src" || done_testing
for how in moved unmapped; do
	[ "$how" = moved ] && n=3 || n=1
	for form in static dynamic; do
		holds "$how, $form" "$how" "$n of $n known, 0 go on" "$T/$form"
	done
	holds "$how, preloaded" "$how" "$n of $n known, 0 go on" "$top_builddir/tools/iotrace-run" "$T/plain"
	holds "$how, dispatched" "$how" "$n of $n known, 0 go on" "$top_builddir/tools/iotrace-run" --syscalls "$T/plain"
done
done_testing
