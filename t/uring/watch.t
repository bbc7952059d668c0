#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_WATCH_RINGS: what a thread of the kernel's takes while the program makes no call is in the
# log, to the last request, however the program ends; and the program is as without it.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
run=$top_builddir/tools/iotrace-run

printf '#include <liburing.h>\nint main(void)\n{\n\tstruct io_uring r;\n\n\treturn io_uring_queue_init(8, &r, 2) ? 77 : 0;\n}\n' >probe.c
# shellcheck disable=SC2086 # CC may have options
$CC -o probe probe.c -luring 2>err || skip_all 'no liburing to compile with'
./probe || skip_all 'this kernel makes no io_uring whose queue it reads by itself'

for form in plain dynamic static; do
	set -- "$IOCC"
	[ $form = static ] && set -- "$IOCC" -static
	# shellcheck disable=SC2086 # CC may have options
	[ $form = plain ] && set -- $CC
	ok "$form compiles" "$@" -D_GNU_SOURCE -g -O1 -o "watch-$form" "$top_srcdir/t/uring/watch.c" -luring || done_testing
done

# traced FORM WAY: runs it to the end of all who have its standard output, and makes json of the log
traced()
{
	rm -rf logs && mkdir logs
	set -- "./watch-$1" "$2"
	[ "$1" = ./watch-preloaded ] && set -- "$run" ./watch-plain "$2"
	IOTRACE_WATCH_RINGS=1 IOTRACE_DIR=logs "$@" | cat >said 2>err
	"$IOTRACE_CAT" --format=json logs 2>lost | grep '"call":"\(request\|completion\)"' >json
}

# what the log has of the writes: how many, that they are in order, and that each completes once
# shellcheck disable=SC2016 # perl's
of_writes='
	my $c = decode_json($_);
	if ($c->{call} eq "request") { $n++; $wrong++ if $c->{offset} != 64 * $at++ || $c->{size} != 64 || $c->{path} !~ m,/out$, }
	else { $wrong++ if $c->{ret} != 64 || $did{$c->{args}{op}}++; $ends++ }
	END { printf "%d %d wrong %d", $n, $ends, $wrong // 0 }'
for form in static dynamic preloaded; do
	case $form in
	static) ways='killed gone exec failing spawning child' ;;
	dynamic) ways='killed exec' ;;
	*) ways='killed child' ;;
	esac
	for way in $ways; do
		n=1000
		case $way in failing | spawning) n=1500 ;; esac
		traced $form "$way"
		is "$form, $way: each request and its completion" "$(perl -MJSON::PP -ne "$of_writes" json)" "$n $n wrong 0"
		is "$form, $way: nothing is lost" "$(grep -v 'ended without\|was killed\|still running' lost)" ''
	done
done

./watch-plain same >expected
for form in static dynamic preloaded; do
	traced $form same
	same "$form: the program finds itself as it is untraced" said expected
done

# without IOTRACE_WATCH_RINGS a completion is seen at the program's next call for the ring: never here
traced dynamic seen
"$IOTRACE_CAT" --format=json -e completion,fcntl logs 2>/dev/null | perl -MJSON::PP -ne '
	my $c = decode_json($_);
	$calls++ if $c->{call} eq "fcntl";
	$between{$calls // 0}++ if $c->{call} eq "completion" && ($calls // 0) < 50;
	END { print scalar keys %between, "\n" }' >between
ok 'completions are seen while the program makes no call' test "$(cat between)" -gt 0
done_testing
