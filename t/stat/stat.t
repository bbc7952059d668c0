#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat: a program that does things a known number of times, in every table
# and format; what stands out in it; bad arguments and damaged logs.
# shellcheck disable=SC2016 # perl's variables
. "${0%/*}/../lib/tap.sh"

stat=$IOTRACE_STAT
mkdir "$T/in" "$T/logs" "$T/blocked"
cp "$top_srcdir/t/stat/work.c" "$T/work.c"
ok 'compiles with iocc' "$IOCC" -static -g -O1 "$T/work.c" -o "$T/work" || done_testing
ok 'runs' sh -c "cd '$T/in' && IOTRACE_DIR='$T/logs' '$T/work'"

# report OPTION...: iotrace-stat's JSON of the logs
report()
{
	"$stat" --format=json "$@" "$T/logs" >"$T/json" 2>"$T/err"
	is "$*: status" "$?" 0
	is "$*: nothing on stderr" "$(cat "$T/err")" ''
}

# value DESCRIPTION EXPRESSION EXPECTED: a Perl expression over the report, $r;
# by('calls', call => 'write') is a row of it
value()
{
	is "$1" "$(perl -MJSON::PP -e '
		open my $in, "<", shift or die;
		my $r = JSON::PP->new->utf8->decode(join "", <$in>);
		sub by { my ($table, $key, $is) = @_; my @row = grep { $_->{$key} =~ m{(^|/)\Q$is\E$} } @{ $r->{$table} };
			die scalar(@row), " rows $is\n" if @row != 1; return $row[0] }
		print join " ", eval shift; print $@ if $@' "$T/json" "$2" 2>&1)" "$3"
}

report --by=call,file,process,thread,site
value 'version' '$r->{version}' 1
value 'log' '@{ $r->{logs}[0] }{qw(prog threads lost)}' 'work 2 0'
value 'open' '@{ by("calls", call => "open") }{qw(calls syscalls errors moved)}' '46 46 30 0'
value 'write' '@{ by("calls", call => "write") }{qw(calls syscalls errors asked moved)}' '1512 1512 0 156400 156400'
value 'pread' '@{ by("calls", call => "pread") }{qw(calls asked moved)}' '2000 128000 128000'
value 'fprintf' '@{ by("calls", call => "fprintf") }{qw(calls syscalls moved)}' '300 0 6300'
value 'a call that lasts' 'my $c = by("calls", call => "poll"); $c->{slow}, $c->{max} > 119e6, $c->{time} == $c->{max}' '0 1 1'
value 'the job: who' 'my $j = $r->{job}; @$j{qw(prog programs hosts ranks processes threads logs lost)}, $j->{host} eq $r->{logs}[0]{host}, $j->{start} == $r->{logs}[0]{start}, $j->{wall} == $r->{logs}[0]{elapsed}' 'work 1 1 0 1 2 1 0 1 1 1'
value 'the job: its sums are the total' 'my ($j, $t) = @$r{qw(job total)}; join ",", grep { $j->{$_} != $t->{$_} } qw(calls syscalls errors self io moving metadata syncing waiting memory read written lib_read lib_written inferred)' ''
value 'the job: shares and rates' 'my $j = $r->{job}; my $ok = 1; $ok &&= abs($j->{"${_}_percent"} - 10000 * $j->{$_} / $j->{lived}) <= 1 for qw(io moving metadata syncing waiting memory); $ok, abs($j->{write_rate} - $j->{written} * 1e9 / $j->{wall}) <= 1' '1 1'
value 'the job: who is most and least in I/O' 'my ($m, $l) = @{ $r->{job} }{qw(most least)}; !$m || ($m->{pid} == $l->{pid} && $m->{tid} != $l->{tid} && $m->{io_percent} >= $l->{io_percent})' 1
value 'waiting is told from reading and writing' '$r->{total}{waiting} > 119e6 && $r->{total}{moving} < $r->{total}{self} - $r->{total}{waiting}, by("calls", call => "poll")->{waiting} == by("calls", call => "poll")->{self}, by("calls", call => "write")->{moving} == by("calls", call => "write")->{self}' '1 1 1'
value 'time in I/O is that of its parts' 'my $ok = 1; for my $row ($r->{total}, map { @{ $r->{$_} } } qw(calls files processes threads sites)) { $ok &&= $row->{io} == $row->{moving} + $row->{metadata} + $row->{syncing} && $row->{io} + $row->{waiting} + $row->{memory} <= $row->{self} } $ok, by("calls", call => "fsync")->{syncing} == by("calls", call => "fsync")->{self}, by("calls", call => "open")->{metadata} == by("calls", call => "open")->{self}' '1 1 1'
value 'shares of calls add up' 'my $n = 0; $n += $_->{percent} for @{ $r->{calls} }; abs($n - 10000) < @{ $r->{calls} }' 1
value 'how long threads were there' 'my ($p) = @{ $r->{processes} }; my $n = 0; $n += $_->{lived} for @{ $r->{threads} }; $p->{thread_count}, $p->{lived} == $n, (grep { $_->{tid} == $_->{pid} && $_->{lived} == $p->{elapsed} } @{ $r->{threads} }) + 0' '2 1 1'
value 'median and mean lie below the longest' 'my $c = by("calls", call => "write"); $c->{p50} <= $c->{p99} && $c->{p99} <= $c->{max} && $c->{mean} * $c->{calls} <= $c->{time}' 1
value 'total time has the calls inside' 'my ($f, $w) = (by("calls", call => "fprintf"), by("calls", call => "write")); $f->{time} > $f->{self} && $w->{time} == $w->{self}' 1
value 'what did not return' '$r->{total}{noreturn}' 2
value 'total bytes' '@{ $r->{total} }{qw(reads read writes written lib_read lib_written)}' '2000 128000 1512 156400 0 6300'
value 'a file' '@{ by("files", path => "small") }{qw(opens reads read read_size writes written write_size seeks idle_seeks syncs)}' \
	'2 2000 128000 64 1500 150000 100 22 20 3'
value 'where it was read and written' 'my $f = by("files", path => "small"); $f->{located}, $f->{consecutive} < 1520, $f->{sequential} > $f->{consecutive}, $f->{highest_read}' '3500 1 1 8192'
value 'when it was used' 'my $f = by("files", path => "small"); $f->{first} < $f->{last} && $f->{first} >= $r->{logs}[0]{start} && $f->{last} <= $r->{logs}[0]{start} + $r->{logs}[0]{elapsed}' 1
value 'a file through stdio' '@{ by("files", path => "lines") }{qw(opens writes written lib_written consecutive)}' '1 2 6300 6300 2'
value 'a file that is not there' '@{ by("files", path => "missing") }{qw(opens calls errors)}' '0 30 30'
value 'threads' 'my @t = sort { $a->{written} <=> $b->{written} } @{ $r->{threads} }; scalar(@t), $t[0]{written}, $t[1]{written}' '2 100 156300'
value 'the process' '$r->{processes}[0]{prog}, $r->{processes}[0]{written}, $r->{processes}[0]{elapsed} > 120e6' 'work 156400 1'
line=$(sed -n '/lines\.here/=' "$T/work.c")
value 'a line of the program' "my \$s = by('sites', site => 'work.c:$line)'); \$s->{calls}, \$s->{writes}, \$s->{written}, \$s->{lib_written}, \$s->{site} =~ /^lines \(/" \
	'302 1 4096 6300 1'
value 'self times add up' 'my %n; for my $t (qw(calls processes threads sites)) { $n{$t} += $_->{self} for @{ $r->{$t} } } join " ", map { $_ - $r->{total}{self} } values %n' '0 0 0 0'

report --rule=minor=off
# on a busy machine calls may be slow
value 'what stands out' 'join " ", sort map { $_->{id} } grep { $_->{id} ne "sync" && ($_->{id} ne "slow" || $_->{call} eq "poll") } @{ $r->{findings} }' \
	'failed idle-seeks reopened reread scattered small-reads small-writes'
value 'each call that was slow, and no other' 'join(" ", sort map { $_->{call} } grep { $_->{id} eq "slow" } @{ $r->{findings} }) eq join(" ", sort map { $_->{call} } grep { $_->{slow} && $_->{slow_self} >= 100e6 } @{ $r->{calls} })' 1
value 'most time first' 'my $t = 1e30; my $ok = 1; for (@{ $r->{findings} }) { $ok &&= $_->{seconds} <= $t; $t = $_->{seconds} } $ok' 1
fact() { value "$1" "my (\$f) = grep { \$_->{id} eq '$1' } @{ \$r->{findings} }; (\$f->{path} // \$f->{call}) =~ s{.*/}{}r, @\$f{qw($2)}" "$3"; }
fact small-writes 'count of bytes' 'small 1500 1500 150000'
fact small-writes 'severity text' 'small cost 1500 of 1500 writes moved less than 4096 bytes, 150000 bytes in all'
fact small-reads 'count of bytes' 'small 2000 2000 128000'
fact idle-seeks 'count of' 'small 20 22'
fact reopened count 'often 12'
fact reread 'bytes of' 'small 128000 8192'
fact failed 'call count of' 'missing open 30 30'

# --- the same, chosen and sorted
report -e write -P 'small$'
value '-e and -P' '@{ $r->{total} }{qw(calls written)}' '1500 150000'
report -Z
value '-Z' '@{ $r->{total} }{qw(calls errors)}' '30 30'
report --by=file --sort=bytes --top=1
value '--sort=bytes --top=1' 'join " ", map { $_->{path} =~ s{.*/}{}r } @{ $r->{files} }' small
report --by=call --sort=count --top=2
value '--sort=count' 'join " ", map { $_->{call} } @{ $r->{calls} }' 'pread write'
report --sort=time --by=call
value '--sort=time' 'join " ", (grep { $_->{call} eq "poll" } @{ $r->{calls} }) + 0, grep { $r->{calls}[$_ - 1]{self} < $r->{calls}[$_]{self} } 1 .. $#{ $r->{calls} }' 1
report -e fprintf,write
value 'self time is without calls that are reported' 'my $f = by("calls", call => "fprintf"); $f->{self} < $f->{time}' 1
report -e fprintf
value 'and with those that are not' 'my $f = by("calls", call => "fprintf"); $f->{self} == $f->{time}' 1

# --- what costs next to nothing
report --rule=minor.time=1000s --rule=minor.share=100 --rule=minor.least=1000000
value 'findings below a share and a time are one' 'my ($f) = grep { $_->{id} eq "minor" } @{ $r->{findings} };
	join " ", $f->{count} > 5, $f->{seconds} > 0, sort map { $_->{id} } grep { $_->{severity} ne "info" } @{ $r->{findings} }' '1 1'
value 'which has them all' 'my ($f) = grep { $_->{id} eq "minor" } @{ $r->{findings} }; my @all = @{ $f->{findings} }; my $time = 0; my $ordered = 1;
	for my $i (0 .. $#all) { $time += $all[$i]{seconds}; $ordered &&= !$i || $all[$i - 1]{seconds} >= $all[$i]{seconds} }
	join " ", @all - $f->{count}, abs($time - $f->{seconds}) < 1e-6, $ordered, grep { /^(failed|reread|reopened)$/ } sort map { $_->{id} } @all' \
	'0 1 1 failed reopened reread'
report --rule=minor.time=1ns --rule=minor.share=100 --rule=minor.factor=1
value 'and those of a run that takes much longer' 'join " ", grep { $_->{severity} eq "cost" } @{ $r->{findings} }' ''

# --- thresholds
report --rule=small-writes.least=1501 --rule=failed=off
value '--rule: findings that no longer are' 'join " ", grep { /^(small-writes|failed)$/ } map { $_->{id} } @{ $r->{findings} }' ''
report --rule=small-reads.size=64 --rule=reopened.least=13 --rule=small-reads=off --rule=small-reads=on
value '--rule: a size, a number, and on again' 'join " ", grep { /^(small-reads|reopened)$/ } map { $_->{id} } @{ $r->{findings} }' ''
report --rule=small-reads.size=128 --rule=reopened.least=12 --rule=minor=off
value 'and at the threshold they are' 'join " ", sort grep { /^(small-reads|reopened)$/ } map { $_->{id} } @{ $r->{findings} }' 'reopened small-reads'
# refused RULE MESSAGE
refused()
{
	"$stat" --rule="$1" "$T/logs" >"$T/out" 2>"$T/err"
	is "--rule=$1: status" "$?" 2
	is 'and says why' "$(cat "$T/err")" "iotrace-stat: $2"
	none 'and nothing else' "$T/out"
}
refused small-writes "--rule: 'small-writes' has no =; give one as small-writes.least=500 or sync=off"
refused tiny.least=5 "--rule: 'tiny' is no finding; iotrace-findings(7) lists them"
refused stat-storm.size=5 "--rule: 'size' is no threshold of stat-storm, which has: least"
refused unseen.least=5 "--rule: 'least' is no threshold of unseen, which has: none"
refused small-reads.share=101 "--rule=small-reads.share: '101' is no number from 1 to 100"
refused small-reads.least=0 "--rule=small-reads.least: '0' is no number from 1 to 4294967295"
refused small-reads.size=0 "--rule=small-reads.size: '0' is not in range; it has to be more than 0 and at most 1048576T"
refused small-reads.size=many "--rule=small-reads.size: 'many' is no size; give bytes, or with a unit, as 64K, 10M, 1g or 1T"
refused slow.time=0 "--rule=slow.time: '0' is not in range; it has to be more than 0"
refused sync=maybe "--rule=sync: 'maybe' is none of off and on"

# --- text
COLUMNS=80 "$stat" --rule=minor=off "$T/logs" >"$T/text"
like 'text: head' "$T/text" '^work, process [0-9]+, 2 threads on .*, [0-9-]+ [0-9:]+, [0-9]+\.[0-9]+ s$'
like 'text: what the time was spent on' "$T/text" '^I/O [0-9.]+ % of the threads. time: data [0-9.]+, metadata [0-9.]+, sync [0-9.e-]+; waiting for others [0-9.]+$'
like 'text: totals' "$T/text" '^[0-9]+ calls \([0-9]+ system calls\), 30 failed; [0-9]+\.[0-9]+ s in calls$'
like 'text: bytes' "$T/text" '^system calls read 128000 bytes and wrote 156400 bytes$'
like 'text: bytes of stdio' "$T/text" '^calls above them read 0 bytes and wrote 6300 bytes$'
like 'text: a call' "$T/text" '^ *1512 +0 +156400( +[0-9.]+){7}  write$'
like 'text: a call above system calls' "$T/text" '^ *300 +0 +6300( +[0-9.]+){7}  fprintf \*$'
like 'text: a file' "$T/text" '^ *2 +0 +2000 +128000 +64 +1500 +150000 +100 +0 +[0-9]+% +[0-9]+% +22 +[0-9.]+ +[0-9]+\.[0-9]  /.*/small$'
like 'text: what stands out' "$T/text" '^ +.*: 1500 of 1500 writes moved'
like 'text: its number, its time and what it is' "$T/text" '^[0-9]+ +[0-9.]+ (s|us)  small writes( |$)'
ok 'text: what stands out fits 80 columns' "$AWK" '/^What stands out/ { n = 1 } /^ *calls / { exit } n && length > 80 && !/^ +\// { print; exit 1 }' "$T/text"
ok 'text: columns are aligned' "$AWK" '/^ *calls  / { want = index($0, "call$"); n = length($0) - 4; next }
	n && !/^ *[0-9]/ { exit } n && substr($0, n - 1, 2) != "  " { print; exit 1 }' "$T/text"
"$stat" -e close "$T/logs" >"$T/text"
like 'text: nothing stands out' "$T/text" '^Nothing stands out: none of the faults in iotrace-findings\(7\) was found\.$'
"$stat" -H "$T/logs" >"$T/text"
like '-h: powers of 1024' "$T/text" '^system calls read 125KB and wrote 153KB$'
like '-h: in tables' "$T/text" ' 1512 +0 +153K '
"$stat" -k --top=2 "$T/logs" >"$T/text"
like '-k: by site' "$T/text" '  site$'
like '--top: says that there is more' "$T/text" '^and [0-9]+ more; --top=0 shows all$'
unlike '--by: no facts' "$T/text" '^What stands out'

# --- csv
"$stat" --format=csv "$T/logs" >"$T/csv"
is 'csv: the names of columns are the keys of JSON' "$(sed 1q "$T/csv")" \
	'call,family,calls,syscalls,errors,asked,moved,time,self,percent,mean,p50,p99,max,slow,slow_self,undivided,unfinished,noreturn,abandoned,inferred,io,moving,metadata,syncing,waiting,memory'
like 'csv: a call' "$T/csv" '^fprintf,stdio,300,0,0,0,6300(,[0-9]+){20}$'
"$stat" --format=csv --by=file "$T/logs" >"$T/csv"
ok 'csv: all lines have all columns' "$AWK" -F, '!n { n = NF } NF != n { exit 1 }' "$T/csv"

# --- a dynamic program, of which the calls beneath stdio are not all seen
mkdir "$T/dynamic"
ok 'compiles, dynamic' "$IOCC" -g -O1 "$T/work.c" -o "$T/work.dynamic" -lpthread
ok 'runs' sh -c "cd '$T/in' && IOTRACE_DIR='$T/dynamic' '$T/work.dynamic'"
"$stat" --format=json "$T/dynamic" >"$T/json" 2>"$T/err"
value 'dynamic: a file through stdio' '@{ by("files", path => "lines") }{qw(opens lib_written)}' '1 6300'
value 'dynamic: others' '@{ by("files", path => "often") }{qw(opens errors)}' '12 0'

# --- several logs, and calls in progress
(
	cd "$T/in" || exit
	IOTRACE_DIR=$T/blocked "$T/work" blocked >"$T/ready" &
	i=0
	# until the log says that it waits; ten minutes are for ever
	until "$IOTRACE_CAT" -e read "$T/blocked" 2>/dev/null | grep -q unfinished || [ $i -ge 6000 ]; do
		sleep 0.1
		i=$((i + 1))
	done
	kill -9 $!
	wait $!
) 2>/dev/null
"$stat" --format=json "$T/blocked" >"$T/json" 2>"$T/err"
value 'a call in progress' 'my ($f) = grep { $_->{id} eq "unfinished" } @{ $r->{findings} }; ($f->{path} // $f->{call}) =~ /^read on pipe:/, $f->{pid} == $r->{logs}[0]{pid}, $r->{total}{unfinished}' '1 1 1'
"$stat" "$T/blocked" >"$T/text"
like 'a call in progress, in text' "$T/text" 'read on pipe:.*: in progress at the end in thread [0-9]+$'
"$stat" --by=process "$T/logs" "$T/blocked" >"$T/text"
like 'several logs' "$T/text" '^work, 2 processes, 3 threads on .*, 2 logs, [0-9-]+ [0-9:]+, [0-9.]+ s in 2 runs$'
is 'a line for each' "$(grep -c '  work$' "$T/text")" 2

# --- a child that vfork() lets run in its parent's memory, with a pipe that it writes to; the
# child's calls come first in the log
cat >"$T/child.c" <<'EOT'
#include <stdio.h>

int main(void)
{
	char line[100];
	FILE *p = popen("sleep 0.1; echo read", "r");

	return !p || !fgets(line, sizeof(line), p) || pclose(p);
}
EOT
ok 'a program with a child: compiles' "$IOCC" -static -g "$T/child.c" -o "$T/child"
ok 'runs' env IOTRACE_DIR="$T/children" "$T/child"
"$stat" --by=process,call --format=json "$T/children" >"$T/json" 2>"$T/err"
value 'the child has a parent, and that has none' 'my ($main) = grep { $_->{pid} == $r->{logs}[0]{pid} } @{ $r->{processes} }; my ($child) = grep { $_ != $main } @{ $r->{processes} }; $main->{parent}, $child->{parent} == $main->{pid}' '0 1'
# for a tenth of a second, since the child lived on as a shell that is not traced
value 'the child was there for less' 'my ($x, $y) = sort { $a->{lived} <=> $b->{lived} } @{ $r->{processes} }; $y->{pid} == $r->{logs}[0]{pid}, $y->{lived} - $x->{lived} > 90e6' '1 1'
value 'reading a pipe is waiting' 'my $c = by("calls", call => "read"); $c->{waiting} > 0 && $c->{waiting} == $c->{self}, $c->{moving}' '1 0'

# --- losses and damage
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new(lost_calls => 7, lost_reason => 28);
	$l->block(records => [ map { $l->compact("sync", start => $_) } 1 .. 3 ]);
	$l->save($ARGV[0]);
	$l->block(seq => 1, base => 100, records => [ MkLog::raw(pack "QQ", 0, 0) ])->save($ARGV[1])' "$T/lost.iotrace" "$T/damaged.iotrace"
"$stat" "$T/lost.iotrace" >"$T/text" 2>"$T/err"
is 'calls that were lost: status' $? 0
like 'on stderr' "$T/err" '^iotrace-stat: .*: 7 calls were not recorded \(No space left on device\)$'
like 'and in the totals' "$T/text" '^3 calls .* 7 NOT RECORDED;'
"$stat" "$T/damaged.iotrace" >"$T/text" 2>"$T/err"
is 'a damaged log: status' $? 1
like 'says so' "$T/err" 'makes no sense'
like 'what is sound is counted' "$T/text" '^3 calls '
"$stat" "$T/none" "$T/lost.iotrace" >"$T/text" 2>"$T/err"
is 'no such log: status' $? 2
like 'the others are counted' "$T/text" '^3 calls '

# refuses PATTERN ARGUMENT...
refuses()
{
	refuses_what=$1
	shift
	"$stat" "$@" >"$T/out" 2>"$T/err"
	is "$*: status" $? 2
	like "$*: says why" "$T/err" "^iotrace-stat: .*$refuses_what"
	is "$*: in one line" "$(wc -l <"$T/err" | tr -d ' ')" 1
	is "$*: prints nothing" "$(cat "$T/out")" ''
}
refuses "'line' is none of" --by=line "$T/logs"
refuses "'' is none of" --by=call, "$T/logs"
refuses "'name' is none of" --sort=name "$T/logs"
refuses "'x' is no number, 0 or more" --top=x "$T/logs"
refuses "'-1' is no number" --top=-1 "$T/logs"
refuses "'xml' is none of text, json and csv" --format=xml "$T/logs"
refuses 'one table' --format=csv --by=call,file "$T/logs"
refuses 'no call, system call' -e frobnicate "$T/logs"
refuses 'no log is given'

# --- logs with words broken: never more than a complaint
perl -e '
	my ($stat, $to, @files) = @ARGV;
	srand 1;
	for my $file (@files) {
		open my $in, "<:raw", $file or die; local $/; my $image = <$in>;
		for my $n (1 .. 20) {
			my $x = $image;
			substr($x, 4 * int(rand(length($x) / 4)), 4) = pack "L", $n % 3 ? int rand 2 ** 32 : 1 << int rand 32 for 1 .. 4;
			open my $out, ">:raw", $to or die; print $out $x; close $out;
			system "$stat --by=call,file,process,thread,site --format=json $to >$to.out 2>/dev/null";
			print "$file $n: status $?\n" if $? & 127 || $? >> 8 > 1;
		}
	}' "$stat" "$T/broken.iotrace" "$top_srcdir"/t/fuzz/corpus/* >"$T/out"
is 'broken logs' "$(cat "$T/out")" ''
# more than 64 bits hold
rm -rf "$T/logs" && mkdir "$T/logs"
printf '%s\n' '#include <unistd.h>' 'int main(void) { char c; return read(-1, &c, -1UL) + read(-1, &c, 5) + 2; }' >"$T/asks.c"
ok 'a program that asks for too much compiles' "$IOCC" -static -w -o "$T/asks" "$T/asks.c"
ok 'and runs' sh -c "cd '$T/in' && IOTRACE_DIR='$T/logs' '$T/asks'"
report --by=call
value 'what it asked for' 'by("calls", call => "read")->{asked}' 18446744073709551615
# ---- the head: shares that are next to nothing ----
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new(latest => 200e9);
	$l->block(records => [ MkLog::path(1, "/x"), MkLog::handle(1, 3, 1),
		$l->general("read", handle => 1, start => 0, dur => 100e9, full => 1, size => 8, ret => 8),
		$l->general("sync", start => 150e9, full => 1) ]);
	$l->save("$ARGV[0]/small.iotrace")' "$T"
"$stat" "$T/small.iotrace" >"$T/out"
like 'a share that is next to nothing' "$T/out" '^I/O .*: data [0-9]+, sync <0\.01$'
like 'a finding of many seconds' "$T/out" '^1 100\.00 s  calls that took long$'
# ---- ranks, in the job of JSON ----
mkdir "$T/ranks"
for rank in 0 1; do
	(cd "$T/in" && IOTRACE_DIR=$T/ranks SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=0 "$T/work")
done
"$stat" --format=json "$T/ranks" >"$T/json"

# ---- the head fits a terminal, if there is a way to have one ----
"$stat" --no-progress "$T/ranks" | sed '/^$/,$d' >"$T/whole"
like 'ranks that are a process each' "$T/whole" '^work, 2 ranks, 4 threads on .*, 2 logs, '
# in_columns N: the head, as a terminal has it that is so wide
in_columns()
{
	COLUMNS=$1 TERM=dumb script -qec "'$stat' --no-progress --color=never '$T/ranks'" /dev/null </dev/null |
		tr -d '\r' | sed '/^$/,$d'
}
if command -v script >"$T/out"; then
	for columns in 40 80; do
		in_columns $columns >"$T/head"
		is "no line has more than $columns characters" "$(awk -v n=$columns 'length > n' "$T/head")" ''
		is "and all words are there, in $columns" "$(tr -s ' \n' '  ' <"$T/head")" "$(tr -s ' \n' '  ' <"$T/whole")"
	done
else
	skip 'lines of the screen' 'no script(1)'
fi

value 'the job: ranks, though no table has them' 'my $j = $r->{job}; $j->{ranks}, $j->{processes}, join(",", sort $j->{most}{rank}, $j->{least}{rank}), $j->{most}{io_percent} >= $j->{least}{io_percent}' '2 2 0,1 1'
done_testing
