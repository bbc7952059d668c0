#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Requests to the kernel's asynchronous I/O that are collected before the call that submits them is back:
# their completions say how long they took, whoever else submits, or has left such a call by a jump.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

# holds NAME HOW COMMAND...
holds()
{
	name=$1
	how=$2
	shift 2
	rm -rf "$T/logs"
	mkdir "$T/logs"
	(cd "$T" && IOTRACE_DIR=$T/logs timeout 60 "$@" "$how") >"$T/out" 2>"$T/err"
	status=$?
	[ $status -ne 77 ] || skip_all 'the kernel has no asynchronous I/O'
	is "$name: runs" "$status" 0 || return
	# an operation began when a call to io_submit did, but for what a clock is off, and ended before that call
	"$IOTRACE_CAT" --format=json -e io_submit,syscall,request,completion "$T/logs" 2>"$T/said" |
		perl -I"$top_srcdir/t/lib" -MLines=line -ne '$c = line($_); $op = $c->{args}{op};
			push @submits, $c if ($c->{syscall} // "") eq "io_submit";
			next if ($c->{path} // "") !~ m{/data$};
			$request{$op} = $c if $c->{call} eq "request";
			push @ends, $c if $c->{call} eq "completion";
			END {
				for my $e (@ends) {
					my ($op, $since) = @{$e->{args}}{qw(op since)};
					my ($in) = grep { abs($e->{start} - ($since // 0) - $_->{start}) <
						1000 + ($since // 0) / 1000 } @submits;
					$n++ if $since && $in && $e->{start} < $in->{start} + $in->{dur};
					$known++ if $request{$op} && $in && $request{$op}{tid} == $in->{tid};
				}
				printf "%d of %d early, %d known\n", $n // 0, scalar(@ends), $known // 0;
			}' >"$T/early"
	n=$(cat "$T/out")
	# what a call that was left has begun is not on record
	[ "$how" = jumped ] && known=1 || known=$n
	is "$name: each says how long it took" "$(cat "$T/early")" "$n of $n early, $known known"
}

src=$top_srcdir/t/aio/early.c
ok 'compiles, static' "$IOCC" -g -O2 -static -o "$T/static" "$src" -lpthread || done_testing
ok 'compiles, dynamic' "$IOCC" -g -O2 -o "$T/dynamic" "$src" -lpthread || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'compiles, without iotrace' $CC -g -O2 -o "$T/plain" "$src" -lpthread || done_testing
for how in several jumped handled; do
	holds "$how, static" "$how" "$T/static"
	holds "$how, dynamic" "$how" "$T/dynamic"
	holds "$how, preloaded" "$how" "$top_builddir/tools/iotrace-run" "$T/plain"
	holds "$how, dispatched" "$how" "$top_builddir/tools/iotrace-run" --syscalls "$T/plain"
done
done_testing
