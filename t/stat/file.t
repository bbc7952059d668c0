#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat --file: all about a file, by what the program does and iotrace-cat prints.
# shellcheck disable=SC2016 # perl's variables
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# of the one file that matched
value()
{
	perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>); my $f = $j->{details}[0]; print eval($ARGV[0]), "\n"' "$1" <"$T/json"
}

ok 'it is built' "$IOCC" -static -g -o "$T/names" "$top_srcdir/t/stat/names.c"
mkdir -p "$logs" "$T/in"
ok 'it runs' sh -c 'cd "$T/in" && IOTRACE_DIR=$T/logs ../names'
"$IOTRACE_STAT" --file='in/sym$' --format=json "$logs" >"$T/json"
is 'one file, by any of its names' "$(value 'scalar(@{$j->{details}}) . " " . $f->{path} =~ s{.*/in/}{}r')" '1 data'
is 'its opens' "$(value 'join " ", $f->{opens}, map { "$_->{call}:" . $_->{path} =~ s{.*/in/}{}r } @{$f->{opened}}')" \
	'5 fopen:data open:sym open:hard open:dir/../data open:data'
is 'all were closed' "$(value 'scalar grep { $_->{end} > $_->{start} } @{$f->{opened}}')" 5
is 'calls of all layers' "$(value 'join " ", map { "$_->{call}:$_->{calls}:$_->{bytes}" } grep { $_->{bytes} } @{$f->{calls}}')" \
	'fprintf:1000:12000 write:3:12000 read:4:400'
is 'sizes' "$(value 'join " ", map { my $h = $f->{$_}{sizes}; map { "$_:$h->[$_]" } grep { $h->[$_] } 0 .. $#$h } qw(reads writes)')" '7:4 12:1 13:2'
is 'reads are the first of their descriptors' "$(value 'join " ", map { $f->{reads}{$_} } qw(located first consecutive strided)')" '4 4 0 0'
is 'writes go on' "$(value 'join " ", map { $f->{writes}{$_} } qw(located first consecutive strided)')" '3 1 2 0'
like 'lines of the program' "$T/json" 'names\.c:[0-9]+\)","calls":100[0-9]'
"$IOTRACE_CAT" --format=json "$logs" >"$T/lines"
cat >"$T/check.pl" <<'END'
use strict; use warnings; use JSON::PP;
open my $in, '<', shift or die; my $f = decode_json(do { local $/; <$in> })->{details}[0];
my (%calls, %durations, $n);
my %names = map { $_ => 1 } $f->{path}, @{ $f->{names} };
while (<>) {
	my $c = decode_json($_);
	next unless defined $c->{path} && $names{ $c->{path} };
	$n++;
	$calls{ $c->{call} }[0]++;
	$calls{ $c->{call} }[1] += $c->{dur} // 0;
	$durations{"$c->{call}s"}[ $c->{dur} ? length sprintf '%b', $c->{dur} : 0 ]++ if $c->{call} =~ /^(read|write)$/;
}
die "no calls" unless $n;
for (@{ $f->{calls} }) {
	my ($calls, $time) = @{ delete $calls{ $_->{call} } // [ 0, 0 ] };
	print "$_->{call}: $_->{calls} $_->{time}, not $calls $time\n" if $calls != $_->{calls} || $time != $_->{time};
}
print "missing: $_\n" for keys %calls;
for my $d (qw(reads writes)) {
	my @h = map { $_ // 0 } @{ $durations{$d} };
	print "$d: @{ $f->{$d}{durations} }, not @h\n" if "@h" ne "@{ $f->{$d}{durations} }";
}
END
perl "$T/check.pl" "$T/json" "$T/lines" >"$T/differ" 2>&1
is 'calls, times and durations as iotrace-cat has them' "$(cat "$T/differ")" ''

COLUMNS=80 "$IOTRACE_STAT" --file='in/data$' "$logs" >"$T/text"
like 'text names the other names' "$T/text" '^  also .*/hard$'
like 'and what stdio made of it' "$T/text" '^\* wrote 12000 bytes; system calls moved 12000 in 3 pieces, 1\.00 times as many$'
like 'and the order' "$T/text" '^writes: 100 % sequential'
"$IOTRACE_STAT" --file=nosuch "$logs" >"$T/text" 2>"$T/err"
is 'no match' "$? $(grep -c 'no file .* matches .nosuch.$' "$T/err") $(wc -c <"$T/text" | tr -d ' ')" '1 1 0'
"$IOTRACE_STAT" --file='a(' "$logs" >/dev/null 2>"$T/err"
is 'a bad expression' "$? $(wc -l <"$T/err" | tr -d ' ')" '2 1'

# a second thing that iotrace-cat can tell: strides, and who else has it open
cat >"$T/two.c" <<'END'
#include <fcntl.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int argc, char **argv)
{
	char b[100];
	int i, fd = open(argv[argc - 1], O_RDWR | O_CREAT, 0600), other;
	for (i = 0; i < 20; i++)
		if (pwrite(fd, b, 100, 1000 * i) != 100)
			return 1;
	if (fork() == 0) {
		other = open(argv[argc - 1], O_RDONLY);
		_exit(read(other, b, 100) != 100);
	}
	wait(&i);
	return i;
}
END
ok 'another is built' "$IOCC" -static -o "$T/two" "$T/two.c"
rm -rf "$logs"; mkdir "$logs"
IOTRACE_DIR=$logs ok 'and runs' "$T/two" "$T/shared"
"$IOTRACE_STAT" --file=/shared --format=json "$logs" >"$T/json"
is 'a stride' "$(value 'join " ", map { $_ // 0 } @{$f->{writes}}{qw(located first consecutive strided)}, @{$f->{writes}{distances}[0]}')" '20 1 0 18 1000 19'
is 'two processes' "$(value 'join " ", map { "$_->{calls}:$_->{bytes}" } @{$f->{threads}}')" '21:2000 2:100'
done_testing
