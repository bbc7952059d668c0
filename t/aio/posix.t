#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# POSIX AIO: issue, the helper thread's call, end and collection are one operation, in static,
# dynamic, preloaded and dispatched programs.  The program itself says the same, and strace.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

src=$top_srcdir/t/aio/posix.c
pl=$top_srcdir/t/aio/posix.pl
cd "$T" || exit 99

# holds NAME seen|unseen SEED COMMAND...: the program and its log say the same of each request
holds()
{
	name=$1
	how=$2
	seed=$3
	shift 3
	rm -rf "$T/logs" "$T/in"
	mkdir "$T/logs" "$T/in"
	(cd "$T/in" && IOTRACE_DIR=$T/logs "$@" "$seed" 200) >"$T/out" 2>"$T/err"
	is "$name: runs" "$?" 0
	none "$name: says nothing" "$T/err"
	LC_ALL=C sort "$T/out" >"$T/expected"
	perl "$pl" "$how" "$T"/logs/*.iotrace 2>"$T/err" | LC_ALL=C sort >"$T/said"
	same "$name: the log says what the program says" "$T/said" "$T/expected" || return
	"$IOTRACE_STAT" --format=json "$T/logs" >"$T/json"
	is "$name: iotrace-stat has the bytes once" \
		"$(perl -MJSON::PP -0777 -ne 'for (grep { $_->{path} =~ m,/a$, } @{ decode_json($_)->{files} }) {
			print "read $_->{read} written $_->{written}" }' "$T/json")" \
		"$(awk '!($2 == 5 && $3 == 0) && $4 > 0 { n[$1] += $4 } END { printf "read %d written %d", n["pread"], n["pwrite"] }' "$T/out")"
	ok "$name: and the sums that the records come to" "$top_srcdir/t/lib/stat-sums" "$T/logs"
	"$IOTRACE_STAT" --file='/a$' --format=json "$T/logs" >"$T/json"
	is "$name: the list of the file has them all" \
		"$(perl -MJSON::PP -0777 -ne '$r = decode_json($_)->{details}[0]{requests};
			print join " ", $r->{n} - grep({ ($_->{errno} // "") =~ /EINVAL/ && $_->{offset} != -5 } @{ $r->{list} }),
				scalar(grep { $_->{collected} } @{ $r->{list} }), $r->{uncollected}' "$T/json")" \
		"$(awk '!($2 == 5 && $3 == 0) && $4 != -9 { n++; c += $5 == "collected"; l += $5 == "left" }
			END { print n, c, l }' "$T/out")"
	is "$name: those that nobody collected are listed" \
		"$("$IOTRACE_CAT" "$T/logs" 2>&1 >/dev/null | grep -c 'never collected: operation [0-9]*, pwrite of 30[0-2] bytes')" 3
}

ok 'compiles, static' "$IOCC" -g -O2 -static -o "$T/static" "$src" || done_testing
ok 'compiles, dynamic' "$IOCC" -g -O2 -D_FILE_OFFSET_BITS=64 -o "$T/dynamic" "$src" || done_testing
ok 'compiles, static for --syscalls' "$IOCC" -g -O2 -static --iotrace-syscalls -o "$T/dispatched" "$src" || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'compiles, without iotrace' $CC -g -O2 -o "$T/plain" "$src" || done_testing

holds 'static' seen 1 "$T/static"
holds 'dynamic' unseen 2 "$T/dynamic"
holds 'preloaded' unseen 3 "$top_builddir/tools/iotrace-run" "$T/plain"
holds 'preloaded, dispatched' seen 4 "$top_builddir/tools/iotrace-run" --syscalls "$T/plain"
IOTRACE_SYSCALLS=on holds 'dynamic, dispatched' seen 5 "$T/dynamic"
IOTRACE_SYSCALLS=on holds 'static, dispatched' seen 6 "$T/dispatched"

rm -rf "$T/logs"
mkdir "$T/logs"
ok 'static: strace sees the same calls' "$top_srcdir/t/lib/oracle" "--dir=$T/logs" "--report=$T/report" -- "$T/static" 7 50 all
done_testing
