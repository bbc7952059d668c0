#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The oracle on hand-written output of strace and iotrace-cat: it accepts what is
# the same, and finds each kind of difference.
# shellcheck disable=SC2016 # perl's

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

dir=$top_srcdir/t/oracle
oracle=$top_srcdir/t/lib/oracle

# finds DESCRIPTION SED-EXPRESSION PATTERN: with the log changed so, the oracle
# sees a difference and says what it is
finds()
{
	sed -e "$2" "$dir/calls.json" >"$T/json"
	if cmp -s "$T/json" "$dir/calls.json"; then
		fail "$1: the expression changes nothing"
		return
	fi
	"$oracle" --compare "$dir/calls.strace" "$T/json" >"$T/out" 2>&1
	is "$1: seen" $? 1
	like "$1: named" "$T/out" "$3"
}

ok 'equal lists agree' "$oracle" --compare "$dir/calls.strace" "$dir/calls.json"
finds 'a call missing in the log' '/"mmap"/d' 'missing in the log'
finds 'the first call missing' 1d 'missing in the log'
finds 'the last call missing' '26d' 'missing in the log'
finds 'a call that there was not' '4p' 'not seen by strace'
finds 'another call' 's/"syscall":"umask"/"syscall":"uname"/' 'another call|missing'
finds 'another descriptor' 's/"sendfile","fd":4/"sendfile","fd":5/' 'another descriptor'
finds 'no descriptor' 's/"syscall":"fcntl","fd":4/"syscall":"fcntl"/' 'no descriptor'
finds 'another result' 's/32770/32768/' 'another result'
finds 'another errno' 's/ENOENT/EACCES/' 'another errno'
finds 'success for an error' 's/,"errno":"EINTR"//' 'another errno'
finds 'an error for success' 's/"ret":32770/"ret":-1,"errno":"EBADF"/' 'an error in the log'
finds 'no result' 's/,"ret":18/&0/' 'another result'
finds 'a result of a call that never returned' 's/"read","fd":6}/"read","fd":6,"ret":1}/' 'a result in the log'
finds 'calls in another order' 's/"start":19/"start":17.5/' 'call 8'
finds 'calls of another thread' 's/"tid":101/"tid":102/' 'thread 102'
finds 'a restarted call recorded twice' '/"start":18,/p' 'not seen by strace'
finds 'a call that a thread made before it was ended' '/"start":30/d' 'thread 102'
finds 'one that it made while the process ended' '/"start":33/d' 'thread 103'
sed '/"start":32/d' "$dir/calls.json" >"$T/json"
ok 'what it did not come to make may be missing' "$oracle" --compare "$dir/calls.strace" "$T/json"
# within_another DEPTH: what a call in progress makes is in progress too
within_another()
{
	sed -e 's/"start":32,/&"depth":1,/' \
		-e '/"start":32,/i {"start":31.5,"tid":102,"pid":100,"family":"posix","call":"preadv","syscall":"preadv","fd":7,"depth":'"$1"'}' \
		"$dir/calls.json" >"$T/json"
}
within_another 0
ok 'nor need it have made the call around that' "$oracle" --compare "$dir/calls.strace" "$T/json"
within_another 1
exits 'but one that is not around it' 1 "$oracle" --compare "$dir/calls.strace" "$T/json"
# Of a thread that a signal has killed already, strace says that it makes any call.
cat >"$T/killed.strace" <<'END'
200 [0000000000009000] execve("/prog", ["/prog"], 0x7ffe /* 9 vars */) = 0
200 [0000000000009c00] clone(child_stack=0x7f12, flags=CLONE_VM|CLONE_SIGHAND|CLONE_THREAD) = 201
201 [0000000000009100] pread64(6, "x", 1, 0) = 1
200 [0000000000009200] --- SIGTERM {si_signo=SIGTERM, si_code=SI_TKILL, si_pid=200, si_uid=0} ---
201 [0000000000009300] msync(0x300, 140048019454272, 0x40 /* MS_??? */ <unfinished ...>
201 [????????????????] +++ killed by SIGTERM +++
200 [????????????????] +++ killed by SIGTERM +++
END
cat >"$T/killed.json" <<'END'
{"start":1,"tid":200,"pid":200,"family":"proc","call":"clone","syscall":"clone","ret":201}
{"start":2,"tid":201,"pid":200,"family":"posix","call":"pread","syscall":"pread64","fd":6,"status":"unfinished"}
END
# killed EXPRESSION STATUS DESCRIPTION: with strace's lines changed so
killed()
{
	sed "$1" "$T/killed.strace" >"$T/changed.strace"
	exits "$3" "$2" "$oracle" --compare "$T/changed.strace" "$T/killed.json"
}
killed '' 0 'what a thread seems to make when it is dead is none of its calls'
killed '/SIGTERM {/d' 1 'if it is: a signal has come'
killed 's/--- SIGTERM/--- SIGCHLD/' 1 'which is the one'
killed '1a 200 [0000000000009b00] rt_sigaction(SIGTERM, {sa_handler=0x9b, sa_mask=[], sa_flags=SA_RESTART}, NULL, 8) = 0' \
	1 'and which nobody handles'
left='{"start":14.5,"tid":100,"pid":100,"family":"posix","call":"read","syscall":"read","fd":4,"status":"abandoned"}'
sed "6i $left" "$dir/calls.json" >"$T/json"
ok 'a call that was abandoned may have been none of the kernel' "$oracle" --compare "$dir/calls.strace" "$T/json"
sed '/"start":18,/s/"ret":1/"status":"abandoned"/' "$dir/calls.json" >"$T/json"
ok 'or have been left when the kernel had made it' "$oracle" --compare "$dir/calls.strace" "$T/json"
: >"$T/empty"
exits 'an empty log is a difference' 1 "$oracle" --compare "$dir/calls.strace" "$T/empty"
exits 'what is no log is trouble' 2 "$oracle" --compare "$dir/calls.strace" "$dir/calls.strace"
exits 'a program without a recorder is trouble' 2 "$oracle" --dir="$T" -- /bin/true

# a real program, with a call past the wrappers
ok 'a program with a call of its own compiles' "$IOCC" -static -g -O2 -o "$T/bypass" "$dir/bypass.c"
mkdir "$T/logs"
"$oracle" --dir="$T/logs" --report="$T/report" -- "$T/bypass" >"$T/out" 2>&1
is 'the oracle sees it' $? 1
like 'and says where it is' "$T/report" 'write\(1, "bypass.*\[main\+'
is 'but no other difference' "$(grep -c 'missing in the log\|not seen by' "$T/report")" 1
exits 'iotrace-audit sees it' 1 "$IOTRACE_AUDIT" "$T/bypass"

# a shell that is not traced, and its commands, which are not either
ok 'a program that runs a shell compiles' "$IOCC" -static --iotrace-syscalls -g -O2 -o "$T/shell" "$dir/shell.c"
mkdir "$T/shell-logs"
ok 'calls that a shell makes for its commands are not missed' "$oracle" --syscalls --dir="$T/shell-logs" -- "$T/shell"

# a program that executes itself, where no call is dispatched any more
ok 'a program that executes itself compiles' "$IOCC" -static --iotrace-syscalls -g -O2 -o "$T/again" "$dir/again.c"
mkdir "$T/again-logs"
"$oracle" --syscalls --dir="$T/again-logs" -- "$T/again" >"$T/out" 2>&1
is 'what is executed without IOTRACE_SYSCALLS is held to what it calls' $? 0 || diag_file "$T/out"
is 'and all three have logs' "$(find "$T/again-logs" -name '*.iotrace' | wc -l)" 3

# --- dynamic programs: a real run, of which the log is changed
ok 'a dynamic program compiles' "$IOCC" -O1 -o "$T/calls" "$dir/dynamic.c"
mkdir "$T/dynamic"
(cd "$T/dynamic" && "$oracle" --dynamic --dir="$T/dynamic" --report="$T/report" -- "$T/calls" >"$T/out" 2>&1)
is 'it agrees' $? 0 || diag_file "$T/report"
like 'what is beneath stdio too' "$T/report" '^[0-9]+ calls lie beneath others; beneath 3 the bytes are as inferred, beneath 0 '
mv "$T/dynamic/json" "$T/true.json"

# notices DESCRIPTION PERL-CODE PATTERN: with each record of the log ($_) changed so
notices()
{
	perl -pe "$2" "$T/true.json" >"$T/dynamic/json"
	if cmp -s "$T/dynamic/json" "$T/true.json"; then
		fail "dynamic: $1: the expression changes nothing"
		return
	fi
	(cd "$T/dynamic" && "$oracle" --dynamic --again --dir="$T/dynamic" -- "$T/calls" >"$T/out" 2>&1)
	is "dynamic: $1: seen" $? 1
	like "dynamic: $1: named" "$T/out" "$3"
}

notices 'a call missing in the log' '$_ = "" if /"call":"open"/' 'missing in the log'
notices 'a call recorded twice' '$_ .= $_ if /"call":"lseek"/' 'not seen by strace'
notices 'another result' 's/"ret":5/"ret":6/ if /"call":"read"/ && !/inferred/' 'another result'
notices 'another errno' 's/ENOENT/EACCES/' 'another errno'
notices 'another descriptor' 's/"fd":\d+/"fd":77/ if /"call":"lseek"/' 'another descriptor'
notices 'another time' 's/"start":(\d+)/$n = $1 + 9e9, "\"start\":$n"/e if /"call":"unlink"/' 'another time'
notices 'a call of stdio missing' '$_ = "" if /"call":"fclose"/' 'no record of fclose'
notices 'a call of stdio at another time' 's/"start":(\d+)/$n = $1 + 9e9, "\"start\":$n"/e if /"call":"fopen"/' 'no record of fopen'
notices 'more bytes beneath stdio' 's/"ret":\d+/"ret":4097/ if /inferred/ && /"call":"write"/' 'other bytes beneath'
notices 'bytes beneath the wrong call' 's/"call":"read"/"call":"write"/ if /inferred/' 'other bytes beneath'
notices 'another child' 's/"ret":\d+/"ret":1/ if /"call":"fork"/ && !/"ret":0,/' 'fork has another result'

# past the wrappers
ok 'a dynamic program with a call of its own compiles' "$IOCC" -O1 -o "$T/past" "$dir/past.c"
mkdir "$T/past-logs"
"$oracle" --dynamic --dir="$T/past-logs" --report="$T/report" -- "$T/past" >"$T/out" 2>&1
is 'the oracle sees it' $? 1
like 'and which it is' "$T/report" 'write\(1, "past.*\[past write\]'
is 'but no other difference' "$(grep -c 'missing in the log\|not seen by\|no record of' "$T/report")" 1
like 'and the one that is no function' "$T/report" 'raw 1,'
# Lines of JSON as t/lib/Lines.pm reads them
# shellcheck disable=SC2016 # perl's variables
{
	lines='my $r = line(<STDIN>); print join "|", @$r{qw(a t f u)}, @{ $r->{b} }[0, 1], ref $r->{b}[2]{c}, defined $r->{n} ? 1 : 0'
	is 'JSON: text, numbers, words, lists' "$(printf '%s\n' '{"a":"x\"\\\/\u0041\t","b":[1,-2.5e3,{"c":[]}],"t":true,"f":false,"n":null,"u":18446744073709551615}' |
		perl -I"$top_srcdir/t/lib" -MLines=line -e "$lines")" "x\"\\/A	|1|0|18446744073709551615|1|-2.5e3|ARRAY|0"
	for line in '{"a":1' '{"a":1}x' '{"a"}' '[1]' '' '{"a":"b}'; do
		ok "JSON: '$line' is none" sh -c "! printf '%s\n' '$line' | perl -I'$top_srcdir/t/lib' -MLines=line -e 'line(<STDIN>)' 2>/dev/null"
	done
}
done_testing
