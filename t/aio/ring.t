#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Completions that a program takes from the ring of the kernel's AIO itself, or that another thread
# collects while requests are submitted: each has its record, once.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

# holds NAME own|both ROUNDS COMMAND...
holds()
{
	name=$1
	how=$2
	rounds=$3
	shift 3
	rm -rf "$T/logs"
	mkdir "$T/logs"
	(cd "$T" && IOTRACE_DIR=$T/logs "$@" "$how" "$rounds") >"$T/out" 2>"$T/err"
	status=$?
	[ $status -ne 77 ] || skip_all 'the kernel has no asynchronous I/O'
	is "$name: runs" "$status" 0
	n=$(cat "$T/out")
	"$IOTRACE_CAT" --format=json -e request,completion "$T/logs" 2>"$T/said" |
		perl -I"$top_srcdir/t/lib" -MLines=line -ne '$c = line($_); $op = $c->{args}{op};
			if ($c->{call} eq "request") { $r{$op}++; next }
			$n++; $bytes += $c->{ret}; $again++ if $c{$op}++; $bounded++ if $c->{args}{unsure};
			$wrong++ if ($c->{args}{unsure} // 0) > $c->{args}{since};
			END { printf "%d %d, %d bytes, %d twice, %d unknown, %d wrong, %s\n", scalar(keys %r), $n, $bytes,
				$again // 0, scalar(grep { !$r{$_} } keys %c), $wrong // 0,
				$bounded ? "bounded" : "exact" }' >"$T/counts"
	# whose time is only bounded is decided by who looks first, if there are two
	[ "$how" = own ] || sed -i 's/, [a-z]*$/, any/' "$T/counts"
	is "$name: each completes once" "$(cat "$T/counts")" \
		"$n $n, $((n * 512)) bytes, 0 twice, 0 unknown, 0 wrong, $([ "$how" = own ] && echo bounded || echo any)"
	none "$name: nothing is missing" "$T/said"
	# whoever learns of an end may do so before the call that issued the request is back
	"$IOTRACE_STAT" --file=data --format=json "$T/logs" >"$T/file"
	is "$name: iotrace-stat knows of no request that goes on" \
		"$(perl -MJSON::PP -0777 -ne '$r = decode_json($_)->{details}[0]{requests}; print "$r->{n} $r->{completed} $r->{bytes}"' "$T/file")" \
		"$n $n $((n * 512))"
}

src=$top_srcdir/t/aio/ring.c
ok 'compiles, static' "$IOCC" -g -O2 -static -o "$T/static" "$src" -lpthread || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'compiles, without iotrace' $CC -g -O2 -o "$T/plain" "$src" -lpthread || done_testing
rounds=${TEST_LONG:+2000}
for i in 1 2 3; do
	holds "static, own ring, $i" own "${rounds:-50}" "$T/static"
	holds "static, two threads, $i" both "${rounds:-50}" "$T/static"
done
holds 'preloaded, own ring' own "${rounds:-50}" "$top_builddir/tools/iotrace-run" "$T/plain"
holds 'preloaded, two threads' both "${rounds:-50}" "$top_builddir/tools/iotrace-run" "$T/plain"
holds 'dispatched, own ring' own "${rounds:-50}" "$top_builddir/tools/iotrace-run" --syscalls "$T/plain"
holds 'dispatched, two threads' both "${rounds:-50}" "$top_builddir/tools/iotrace-run" --syscalls "$T/plain"
done_testing
