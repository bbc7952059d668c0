#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What programs do by the thousand has short records, wherever it is done, which say all
# that there is to say: lseek; calls on streams in a second thread, with --syscalls too;
# files in a directory with a long name.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/recorder.sh
. "${0%/*}/../lib/recorder.sh"

# bytes: of the records, and definitions, of all blocks
bytes()
{
	# shellcheck disable=SC2154 # recorder.sh has $logs
	perl -e 'local $/; my $n = 0;
		for (@ARGV) {
			open my $f, "<:raw", $_ or die;
			my $log = <$f>;
			my $off = unpack "Q", substr $log, 32, 8;
			while ($off + 96 <= length $log) {
				my ($magic, undef, $used, undef, $size) = unpack "L5", substr $log, $off, 96;
				if ($magic != 0x424f4949) { $off += 64; next; }
				$n += $used;
				$off += $size;
			}
		}
		print $n' "$logs"/*
}

build short -pthread
run short seeks
is 'it runs' "$(cat "$T/status")" 0
"$IOTRACE_CAT" "$logs" >"$T/text" 2>"$T/err"
ok 'nothing to complain of' test ! -s "$T/err" || diag_file "$T/err"
# what the program printed, the log says
sed -n '/^lseek/s/ <[0-9.]*>$//p' "$T/text" >"$T/got"
ok 'all of them are as the program says' cmp "$T/out" "$T/got" || {
	diff "$T/out" "$T/got" | head -20 >"$T/diff"
	diag_file "$T/diff"
}
"$IOTRACE_CAT" --format=json "$logs" >"$T/json"
is 'what is read behind them has its offset' \
	"$(sed -n 's/.*"call":"read".*"offset":\([0-9]*\).*/\1/p' "$T/json" | sort -n | uniq -c | awk '{ printf "%s%s", sep, $2; sep = " " }')" \
	"$(awk -F'= ' 'NR % 3 == 2 && NR < 196 { print $2 ~ /^-1/ ? 1024 : $2 }' "$T/out" | sort -n | uniq | tr '\n' ' ' | sed 's/ $//')"
n=$(wc -l <"$T/out")
IOTRACE_CALLS=posix run short seeks
ok 'they are as short as writes' [ "$(bytes)" -lt $((n * 24)) ] || diag "$(bytes) bytes for $n calls"

# items HOW PROGRAM...: 15,000 calls on a stream
items()
{
	items_how=$1
	shift
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	is "$items_how: it runs" "$(cd "$T/in" && IOTRACE_DIR=$logs IOTRACE_CALLS=stdio,posix "$@" items; echo $?)" 0
	is "$items_how: all calls" "$("$IOTRACE_CAT" --format=json "$logs" |
		sed -n 's/.*"call":"\(fwrite\|putc\|fread\)".*"size":\([0-9]*\).*"ret":\([0-9]*\).*/\1 \2 \3/p' | sort | uniq -c | awk '{ print $1, $2, $3, $4 }' | tr '\n' ';')" \
		'5000 fread 25 5;5000 fwrite 24 3;'
	is "$items_how: characters" "$("$IOTRACE_CAT" "$logs" | grep -c 'putc(.* = 120 ')" 5000
	ok "$items_how: they are short" [ "$(bytes)" -lt $((15000 * 20)) ] || diag "$(bytes) bytes"
}

items 'in a second thread' "$T/traced/short"
if [ "$form" = dynamic ]; then
	items 'with --syscalls' "$top_builddir/tools/iotrace-run" --syscalls "$T/plain/short"
fi

run short deep
is 'deep: it runs' "$(cat "$T/status")" 0
"$IOTRACE_CAT" --format=json "$logs" >"$T/json" 2>"$T/err"
ok 'deep: nothing to complain of' test ! -s "$T/err" || diag_file "$T/err"
is 'deep: whole names' "$(sed -n 's/.*"call":"write".*"path":"\([^"]*\)".*/\1/p' "$T/json" | sort | uniq -c | awk '$1 == 2 { print $2 }' | wc -l)" 300
is 'deep: and right ones' "$(sed -n 's/.*"call":"write".*"path":"\([^"]*\)".*/\1/p' "$T/json" | grep -c "^$(cat "$T/out")/f[0-9]*$")" 600
ok 'deep: names are there once' [ "$(bytes)" -lt 200000 ] || diag "$(bytes) bytes"
done_testing
