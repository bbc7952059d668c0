#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs with more rights than their user write no log, and nobody can make a
# log be written to a file of their choice.  TEST_LONG=1: by all that could lead there.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build hostile -Wall
n=20000

# --- more rights than the user
# untraced NAME [COMMAND...]: $T/NAME runs as ever, without a log or a word about
# bad settings
untraced()
{
	rm -rf "$logs" "$T/in"
	mkdir "$logs" "$T/in"
	chmod 777 "$logs" "$T/in"
	(cd "$T/in" && IOTRACE_DIR=$logs IOTRACE_STACK=bad setpriv --reuid=65534 --regid=65534 --clear-groups "$T/$1" none 10 \
		>"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
	undisturbed "$1"
	is "$1: no log" "$(find "$logs" "$T/in" -name '*.iotrace' | wc -l | tr -d ' ')" 0
}
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$T"
	run_plain hostile none 10
	for kind in set-user-id set-group-id capabilities ordinary; do
		cp "$T/traced/hostile" "$T/$kind"
	done
	chmod 4755 "$T/set-user-id"
	chgrp 1 "$T/set-group-id"
	chmod 2755 "$T/set-group-id"
	untraced set-user-id
	untraced set-group-id
	# cap_net_raw=ep, as setcap stores it
	if perl -e 'my ($name, $value) = ("security.capability", pack("V5", 0x2000001, 1 << 13, 0, 0, 0));
		syscall(188, $ARGV[0], $name, $value, 20, 0) and die "$!\n"' \
		"$T/capabilities" 2>"$T/why"; then
		untraced capabilities
	else
		skip 'file capabilities' "the file system can't store them: $(cat "$T/why")"
	fi
	# or the above might have written none for another reason
	(cd "$T/in" && IOTRACE_DIR=$logs setpriv --reuid=65534 --regid=65534 --clear-groups "$T/ordinary" none 10 \
		>"$T/out" 2>"$T/err" </dev/null)
	is 'ordinary: a log' "$(n_logs)" 1
else
	skip 'set-user-id' 'only root can make programs of other users'
fi

# --- a log's name that is taken: by whatever could lead elsewhere, for any name
# that it could try within some milliseconds; dynamic executables do nothing else
# there, and it takes long
run hostile none 10
name=$(basename "$logs"/*.iotrace)
host=${name#hostile.}
host=${host%%.*}
cat >"$T/take.pl" <<'PERL'
use strict;
use POSIX qw(mkfifo);
use Time::HiRes qw(time sleep);
# Every name that the log of this process could have in 4 ms from some moment on
# is taken, but for one in 40; then it becomes the program.
my ($dir, $prefix, $kind, $target, @command) = @ARGV;
my %take = (
	symlink => sub { symlink $target, $_[0] },
	dangling => sub { symlink "$target.none", $_[0] },
	hardlink => sub { link $target, $_[0] },
	file => sub { open my $f, '>', $_[0] },
	directory => sub { mkdir $_[0] },
	fifo => sub { mkfifo $_[0], 0666 },
);
my ($from, @names);
for (my $wait = 0.25;; $wait *= 2) {
	unlink @names or map { rmdir $_ } @names;
	$from = int((time() + $wait) * 1e6);
	@names = map { "$dir/$prefix.$$." . ($from + $_) . '.iotrace' } grep { $_ % 40 } 0 .. 3_999;
	$take{$kind}->($_) || die "$_: $!\n" for @names;
	last if time() * 1e6 < $from - 1e4;
}
sleep 1e-6 * $from - time() - 2e-3;
1 while time() * 1e6 < $from;
exec @command;
PERL
kinds='symlink directory'
[ "${TEST_LONG:-0}" != 1 ] || kinds='symlink dangling hardlink file directory fifo'
for kind in $(either "$kinds" ''); do
	rm -rf "$T/in" "$logs" "$T/target" "$T/target.none"
	mkdir "$T/in" "$logs"
	chmod 1777 "$logs"
	: >"$T/target"
	(cd "$T/in" && IOTRACE_DIR=$logs exec perl "$T/take.pl" "$logs" "hostile.$host" "$kind" "$T/target" \
		"$T/traced/hostile" none 10 >"$T/out" 2>&1)
	is "$kind in place of the log: nothing is written there" "$(cat "$T/target" "$T/target.none" 2>/dev/null | wc -c | tr -d ' ')" 0
	find "$logs" -type f -size +1 -links 1 >"$T/real"
	is "$kind in place of the log: another name is found" "$(wc -l <"$T/real" | tr -d ' ')" 1 || diag_file "$T/out"
	count_calls=$("$IOTRACE_CAT" --format=raw -e pwrite "$(cat "$T/real")" | grep -vc '^#')
	is "$kind in place of the log: every call" "$count_calls" 30
done

# --- a log that is to be opened again, and something else has its name
printf 'untouched' >"$T/target"
for kind in symlink file directory fifo device gone; do
	run_plain hostile "replace-$kind" $n "$T/nothing"
	run hostile "replace-$kind" $n "$logs"
	undisturbed "$kind in place of a lost log"
	is "$kind in place of a lost log: untouched" "$(cat "$T/target")" untouched
	rm -rf "$logs"/hostile.*
	cat_logs
	got=$(how_many '$call == "pwrite"')
	ok "$kind in place of a lost log: $got recorded, $(lost) lost are all" test $((got + $(lost))) -ge $((3 * n))
	like "$kind in place of a lost log: iotrace-cat says so" "$T/cat.err" 'not recorded \(the log could not be opened again: '
done
done_testing
