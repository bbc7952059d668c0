#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What libc.so reads and writes beneath calls of stdio, unseen, is inferred: for each
# call the bytes that strace saw, by descriptor; or nothing, where it can't be known.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
src=$top_srcdir/t/dynamic/streams
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

mkdir in
# shellcheck disable=SC2086 # CC may have options
ok 'compiles without iocc' $CC -O1 -o plain "$src.c" -lpthread || done_testing
ok 'compiles with iocc' "$IOCC" -O1 -o traced "$src.c" -lpthread || done_testing
ok 'compiles with iocc, static' "$IOCC" -static -O1 -o static "$src.c" -lpthread || done_testing
"$AWK" 'BEGIN { while (i++ < 3000) print i }' >input

# logged HOW COMMAND...: in a directory made anew; leaves out, status and json
logged()
{
	rm -rf in logs && mkdir in logs
	how=$1
	shift
	(cd in && IOTRACE_DIR="$T/logs" exec "$@" <../input >../out 2>&1)
	echo $? >status
	"$IOTRACE_CAT" --format=json logs >json 2>cat.err
	ok "$how: the log is sound" test ! -s cat.err
}

for end in exit return; do
	set --
	[ $end = return ] || set -- exit
	(cd in && strace -o ../strace -e trace=read,write,openat,lseek,close,dup,dup2,fcntl,getpgid,getsid \
		../plain "$@" <../input >../want 2>&1; echo $? >../want.status)
	for how in traced preloaded; do
		program=../traced
		[ $how = traced ] || program="$top_builddir/tools/iotrace-run -o $T/logs ../plain"
		# shellcheck disable=SC2086 # a command
		logged "$how, $end" $program "$@"
		same "$how, $end: output" out want
		same "$how, $end: status" status want.status
		perl "$src.pl" strace json >compared 2>&1
		ok "$how, $end: what strace saw beneath each call" \
			grep -q -E '^[0-9]{5} calls, [0-9]{2,3} with bytes beneath, 1 left out, [1-9][0-9] at their places$' compared || diag_file compared
		is "$how, $end: and nothing else" "$(wc -l <compared | tr -d ' ')" 1 || diag_file compared
	done
done
# what is left in buffers goes out behind all that can be seen; exit(0) has nothing there
is 'exit: nothing is left' "$(grep -c '"call":"write".*"fd":1,.*inferred' json)" 3

"$IOTRACE_STAT" --format=json --by=file logs >stat.json
perl -MJSON::PP -e 'local $/; my $s = decode_json(<STDIN>);
	for (@{ $s->{files} }) { print "$_->{written}\n" if $_->{path} =~ m,/lines$, }' <stat.json >got
size=$(wc -c <in/lines | tr -d ' ')
is 'iotrace-stat: bytes of a file' "$(cat got)" "$size"
ok 'iotrace-stat: as iotrace-cat has it' "$top_srcdir/t/lib/stat-sums" logs
"$IOTRACE_CAT" logs >text
like 'iotrace-cat: beneath the call, without a time' text '^[0-9/]+ {3}write\(.*\) = 4096 <inferred>$'

IOTRACE_CALLS=posix logged 'posix alone' ../traced
is 'posix alone: the bytes are there' "$(grep -c '"status":"inferred"' json)" "$(grep -c '<inferred>' text)"
is 'posix alone: nested in nothing' "$(grep '"status":"inferred"' json | grep -c -v '"depth":0')" 0
IOTRACE_EXCLUDE='/writes$' logged 'paths' ../traced exit
is 'paths: none of those that are not wanted' "$(grep -c '/writes"' json)" 0
logged 'static' ../static exit
is 'static: nothing is inferred where calls are seen' "$(grep -c '"status":"inferred"' json)" 0

IOTRACE_SYSCALLS=1 logged 'IOTRACE_SYSCALLS' ../traced exit
is 'IOTRACE_SYSCALLS: nor here' "$(grep -c '"status":"inferred"' json)" 0
like 'IOTRACE_SYSCALLS: they are calls' json '"syscall":"write".*"depth":1,.*/writes"'

# each thread's own stream, and one that both use
logged 'threads' ../traced threads
perl -MJSON::PP -ne 'my $c = decode_json($_); $n{$1} += $c->{ret} if ($c->{status} // "") eq "inferred" && $c->{path} =~ m,/([^/]*)$,;
	END { print map { "$_ " . ($n{$_} // 0) . "\n" } qw(own-0 own-1 shared) }' json >got
is "threads: every byte of a thread's own stream" "$(sed -n '/own/p' got | tr '\n' ' ')" \
	"own-0 $(wc -c <in/own-0) own-1 $(wc -c <in/own-1) "
is 'threads: and of what they share' "$(sed -n 's/shared //p' got)" "$(wc -c <in/shared)"

# a thread that comes to another's stream while that is in the middle of a call
# shellcheck disable=SC2086 # CC may have options
ok 'second: compiles' $CC -O1 -o plain "$top_srcdir/t/dynamic/second.c" -lpthread
ok 'second: compiles with iocc' "$IOCC" -O1 -o traced "$top_srcdir/t/dynamic/second.c" -lpthread
for program in ../traced "$top_builddir/tools/iotrace-run -o $T/logs ../plain"; do
	# shellcheck disable=SC2086 # a command
	logged "second: ${program##*/}" $program
	# shellcheck disable=SC2016 # perl's
	sum='$n += $1 if /"call":"write".*"path":"pipe:.*"ret":(\d+),"status":"inferred"/; END { print $n }'
	is "second: ${program##*/}: each byte that went into the pipe" "$(perl -ne "$sum" json)" "$(cat out)"
done

# a descriptor's offset is asked for where a stream moves it unseen
cat >mixed.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char c;
	FILE *f = fopen("mixed", "w+"), *g;
	int fd = open("input", O_RDONLY);

	if (!f || fputs("12345", f) < 0 || fflush(f) || write(fileno(f), "x", 1) != 1)
		return 1;
	g = fdopen(fd, "r");
	return !g || fgetc(g) != '1' || read(fd, &c, 1) != 1;
}
C
"$IOCC" -o mixed mixed.c && cp input in && cp input in
(cd in && IOTRACE_DIR="$T/logs" ../mixed)
"$IOTRACE_CAT" --format=json logs >json
like 'mixed: offset of a write behind a flush' json '"call":"write".*"offset":5,"size":1,'
like 'mixed: offset of a read behind a fill' json '"call":"read".*"offset":4096,"size":1,'

# to get to a place beyond a file's end, what is before it in its block is read
# shellcheck disable=SC2086 # CC may have options
ok 'seek: compiles' $CC -O1 -o plain "$top_srcdir/t/dynamic/seek.c"
ok 'seek: compiles with iocc' "$IOCC" -O1 -o traced "$top_srcdir/t/dynamic/seek.c"
(cd in && strace -o ../strace -e trace=read,write,openat,close ../plain)
perl -ne 'if (/^openat\(.*"beyond".* = (\d+)/) { $fd = $1 } elsif (/^close\((\d+)/ && $1 == ($fd // -1)) { undef $fd }
	elsif (/^(read|write)\((\d+),.* = (\d+)/ && $2 == ($fd // -1)) { $n{$1} += $3 }
	END { print "$_ $n{$_}\n" for sort keys %n }' strace >want
logged 'seek' ../traced
perl -ne '$n{$1} += $2 if /"call":"(read|write)".*\/beyond".*"ret":(\d+).*"inferred"/;
	END { print "$_ $n{$_}\n" for sort keys %n }' json >got
same 'seek: the bytes that strace saw' got want

# what headers expand in line calls libc at a buffer's end
cat >inline.c <<'C'
#include <stdio.h>

int main(void)
{
	int c;

	while ((c = getc_unlocked(stdin)) != EOF)
		putc_unlocked(c, stdout);
	return fclose(stdout) != 0;
}
C
# shellcheck disable=SC2086 # CC may have options
ok 'in line: compiles' $CC -O2 -o plain inline.c
ok 'in line: compiles with iocc' "$IOCC" -O2 -o traced inline.c
size=$(wc -c <input | tr -d ' ')
for program in ../plain ../traced; do
	rm -rf logs && mkdir logs
	(cd in && "$top_srcdir/t/lib/oracle" --dynamic --without=process_vm_readv --dir="$T/logs" --report="$T/report" -- $program) <input >out
	is "in line, $program: agrees with strace" $? 0 || diag_file report
	same "in line, $program: does what it is to" out input
	# shellcheck disable=SC2016 # perl's
	sum='$c{$1} += $2 if /"call":"(read|write)".*"ret":(\d+),"status":"inferred"/; END { print "$c{read} $c{write}" }'
	is "in line, $program: each byte beneath" "$(perl -ne "$sum" logs/json)" "$size $size"
done
done_testing
