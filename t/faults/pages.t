#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_FAULTS with IOTRACE_CACHE: what of a mapped file came into the page cache, and what of
# that was not used, is what mincore(2) shows the program.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

iotrace=$top_builddir/tools/iotrace
export IOTRACE_STACK=0

# shellcheck source=t/lib/faults.sh
. "${0%/*}/../lib/faults.sh"
# shellcheck disable=SC2086 # CC may have options
ok 'plain: compiles' $CC -O1 "$src/pages.c" -o "$T/pages" || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'deny: compiles' $CC "$src/deny.c" -o "$T/deny" || done_testing
ok 'static: compiles' "$IOCC" --iotrace-faults -static -O1 "$src/pages.c" -o "$T/pages-static"
ok 'dynamic: compiles' "$IOCC" -O1 "$src/pages.c" -o "$T/pages-dynamic"
head -c 16000100 /dev/zero | tr '\0' x >"$T/file"
"$T/pages" "$T/file" around >"$T/out"
[ $? != 77 ] || skip_all 'the file system has no page cache that could be emptied'
grep -q '^gained.* [1-9][0-9]*$' "$T/out" || skip_all 'the kernel reads nothing ahead'

# traced COMMAND...: with a directory of its own for the log
traced()
{
	rm -rf "$T/logs"
	mkdir "$T/logs"
	IOTRACE_FAULTS=1 IOTRACE_CACHE=1 IOTRACE_DIR=$T/logs "$@" >"$T/out" 2>"$T/err"
	is 'runs' $? 0
	none 'says nothing' "$T/err"
}

for form in static dynamic preloaded; do
	case $form in
	preloaded) set -- "$iotrace" run "$T/pages" ;;
	*) set -- "$T/pages-$form" ;;
	esac
	for step in around random; do
		tap_about="$form, $step: "
		traced "$@" "$T/file" $step
		"$IOTRACE_CAT" --format=json -e pages_found,pages_gained -P '/file$' "$T/logs"/*.iotrace | perl -ne '
			%v = /"(found|offset|size|touched|unused)":(\d+)/g;
			print exists $v{found} ? "found $v{found}\n" : "gained $v{offset} $v{size} $v{unused}\n";
			$touched += $v{touched} // 0;
			END { print "touched $touched\n" }' >"$T/found"
		same 'what came, and what of it was not used' "$T/found" "$T/out"
		"$IOTRACE_STAT" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
			($f) = grep { $_->{path} =~ m,/file$, } @{ decode_json($_)->{files} };
			print "$f->{found} $f->{gained} $f->{touched} $f->{unused}\n"' >"$T/sums"
		is 'sums' "$(cat "$T/sums")" "$(awk '
			{ sum[$1] += $1 == "gained" ? $3 : $2; unused += $4 }
			END { print sum["found"], sum["gained"], sum["touched"], unused + 0 }' "$T/out")"
	done
done

# ranges lie in the order in which the file was read: by the first fault of each
"$IOTRACE_STAT" --file='/file$' --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
	$c = decode_json($_)->{details}[0]{page_cache};
	print join(" ", map { $_->[0] / 4096 } @{ $c->{ranges} }), "\n"' >"$T/ranges"
is 'ranges by time' "$(cat "$T/ranges")" "3800 100 10 300 333 700"

tap_about='nobody tells: '
traced "$T/deny" cachestat "$T/pages-dynamic" "$T/file" around
ok 'nothing is said' test "$("$IOTRACE_CAT" -e pages_found,pages_gained "$T/logs" | wc -l)" = 0

done_testing
