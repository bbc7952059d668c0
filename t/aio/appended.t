#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Asynchronous writes that go to the file's end have no offset, since nobody knows where that is by then; the
# others have the one that they were given.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

src=$top_srcdir/t/aio/appended.c
ok 'compiles, static' "$IOCC" -static -O1 -o static "$src" || done_testing
ok 'compiles, dynamic' "$IOCC" -O1 -o dynamic "$src"
# shellcheck disable=SC2086 # CC may have options
ok 'compiles, without iotrace' $CC -O1 -o preloaded "$src"
for form in static dynamic preloaded; do
	[ $form = preloaded ] && run=$top_builddir/tools/iotrace-run || run=
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs $run ./$form
	status=$?
	[ $status -ne 77 ] || skip_all 'the kernel has no asynchronous I/O'
	is "$form: ends well" $status 0
	"$IOTRACE_CAT" --format=json -e request,completion,collection logs |
		perl -MJSON::PP -ne 's/^\[|,?\s*\]?$//g; next unless /^\{/; $c = decode_json($_); ($f) = $c->{path} =~ m,([^/]*)$,;
			$is{"$c->{args}{operation} $f $c->{size} " . ($c->{offset} // "-")}++;
			END { print map { "$_ $is{$_}\n" } sort keys %is }' >said
	is "$form: where each goes" "$(cat said)" 'pread end 60 5 3
pwrite at 40 7 2
pwrite at 50 - 2
pwrite at 70 5 3
pwrite end 10 - 3
pwrite end 20 - 2
pwritev end 30 - 2'
done
done_testing
