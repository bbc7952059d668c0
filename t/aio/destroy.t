#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# io_destroy(2) while requests are in flight: each has its completion, once, with its result.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

src=$top_srcdir/t/aio/destroy.c
ok 'compiles, static' "$IOCC" -g -O2 -static -o "$T/static" "$src" || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'compiles, without iotrace' $CC -g -O2 -o "$T/plain" "$src" || done_testing
head -c 18874368 /dev/zero | tr '\0' x >"$T/data"
sync -f "$T/data"
(cd "$T" && ./plain)
[ $? -ne 77 ] || skip_all 'the kernel has no asynchronous I/O, or no polls by it'

# holds NAME COMMAND...
holds()
{
	name=$1
	shift
	rm -rf "$T/logs"
	mkdir "$T/logs"
	(cd "$T" && IOTRACE_DIR=$T/logs "$@")
	is "$name: runs" "$?" 0
	"$IOTRACE_CAT" --format=json -e request,completion "$T/logs" 2>"$T/said" |
		perl -I"$top_srcdir/t/lib" -MLines=line -ne '$c = line($_); $op = $c->{args}{op};
			if ($c->{call} eq "request") { $r{$op}++; next }
			$n{$c->{args}{operation} . " " . $c->{ret}}++; $again++ if $c{$op}++; $unknown++ if !$r{$op};
			END { printf "%s, %d twice, %d unknown\n", join(", ", map { "$n{$_} $_" } sort keys %n),
				$again // 0, $unknown // 0 }' >"$T/counts"
	is "$name: each completes once" "$(cat "$T/counts")" '2 poll 0, 18 pread 1048576, 0 twice, 0 unknown'
	none "$name: nothing is missing" "$T/said"
}
for i in 1 2 3; do
	holds "static, $i" "$T/static"
done
holds 'preloaded' "$top_builddir/tools/iotrace-run" "$T/plain"
holds 'dispatched' "$top_builddir/tools/iotrace-run" --syscalls "$T/plain"
done_testing
