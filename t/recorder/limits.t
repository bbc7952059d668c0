#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Limits on descriptors, file size and memory, from the start or set while the
# program runs: it is unharmed, and what is not recorded is counted.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build limits -Wall -pthread
n=10000

# all HOW: undisturbed; recorded or counted is everything that it wrote
all()
{
	both limits "$1" $n
	cat_logs
	got=$(how_many '$call == "pwrite" && $ret == 4')
	written=$(sed -n 's/^written //p' "$T/out")
	ok "$1: it got something done" test "${written:-0}" -ge $((3 * n))
	ok "$1: $got recorded and $(lost) lost are all of $written" test $((got + $(lost))) -ge "$written"
}

# whole HOW: and nothing is lost
whole()
{
	all "$1"
	is "$1: every call" "$got" "$written"
	is "$1: nothing was lost" "$(lost)" 0
	is "$1: iotrace-cat has nothing to say" "$(cat "$T/cat.err")" ''
}

# said HOW: if something is lost, tools say so
said()
{
	all "$1"
	ok "$1: not much more is counted as lost than is missing" test $((got + $(lost))) -le $((written + 100))
	is "$1: iotrace-cat says whether something is lost" "$(grep -c 'calls were not recorded' "$T/cat.err")" \
		$(($(lost) > 0))
}

whole none
whole nofile-up-down
whole stack
whole cpu
whole memlock
# a thread may have no window
said nofile-0
said nofile-3
all nofile-soft
said fsize-0
said as
all data

# --- files that were opened while the log could not grow have names once it can, far more of
# them than a window has room for; in a forked child, too
cat >"$T/named.c" <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int null = open("/dev/null", O_WRONLY), status, fd[400];
	struct rlimit was, rl;
	char name[16];

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &was);
	rl = was;
	rl.rlim_cur = 10000;
	setrlimit(RLIMIT_FSIZE, &rl);
	for (int i = 0; i < 400; i++) {
		snprintf(name, sizeof(name), "%d", i);
		fd[i] = open(name, O_RDWR | O_CREAT, 0600);
	}
	for (int i = 0; i < 30000; i++)
		if (pwrite(null, "x", 1, i * 7 % 1000) != 1)
			return 1;
	setrlimit(RLIMIT_FSIZE, &was);
	for (int i = 0; i < 400; i++)
		if (pwrite(fd[i], "abc", 3, 0) != 3)
			return 2;
	if (!fork()) {
		for (int i = 0; i < 400; i++)
			if (pwrite(fd[i], "abcd", 4, 0) != 4)
				_exit(3);
		_exit(0);
	}
	return wait(&status) < 0 || status;
}
END
# shellcheck disable=SC2086 # CC may have options, and link be none
ok 'named compiles' $CC $link -O2 -Wall "$T/named.c" -o "$T/plain/named" || done_testing
# shellcheck disable=SC2086
ok 'named compiles with iocc' "$IOCC" $link -O2 -Wall "$T/named.c" -o "$T/traced/named" || done_testing
both named
cat_logs
count 'named: every call after it' '$call == "pwrite" && $ret == 3' 400
count 'named: files have names' '$call == "pwrite" && $ret == 3 && $path ~ /\/[0-9]+$/' 400
count 'named: in the child, too' '$call == "pwrite" && $ret == 4 && $path ~ /\/[0-9]+$/' 400

# --- children that end one after another, while the log can't grow: what they leave is copied
# together by the next, or is counted as lost; nothing of it looks damaged
cat >"$T/left.c" <<'END'
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	struct rlimit was, rl;
	int status;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &was);
	for (int i = 0; i < 100; i++) {
		rl = was;
		if (i >= 40)
			rl.rlim_cur = 10000;
		if (setrlimit(RLIMIT_FSIZE, &rl))
			return 1;
		if (!fork()) {
			for (int k = 0; k < 5; k++)
				if (write(1, "child\n", 6) != 6)
					_exit(1);
			_exit(0);
		}
		if (wait(&status) < 0 || status)
			return 2;
	}
	return 0;
}
END
# shellcheck disable=SC2086 # CC may have options, and link be none
ok 'left compiles' $CC $link -O2 -Wall "$T/left.c" -o "$T/plain/left" || done_testing
# shellcheck disable=SC2086
ok 'left compiles with iocc' "$IOCC" $link -O2 -Wall "$T/left.c" -o "$T/traced/left" || done_testing
both left
cat_logs
is 'left: nothing is damaged or missing' "$(grep -v 'calls were not recorded' "$T/cat.err")" ''
got=$(how_many '$call == "write" && $ret == 6')
ok "left: something was lost" test "$(lost)" -gt 0
ok "left: $got writes recorded and $(lost) lost are all of 500" test $((got + $(lost))) -ge 500

# --- from the start
run_plain limits none 100
# started LIMIT [LINE]: it says at most that it does not record
started()
{
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && exec prlimit "$1" "$T/plain/limits" none 100 >"$T/plain.out" 2>"$T/plain.err")
	echo $? >"$T/plain.status"
	rm -f "$T/in"/*
	(cd "$T/in" && IOTRACE_DIR=$logs exec prlimit "$1" "$T/traced/limits" none 100 >"$T/out" 2>"$T/err")
	echo $? >"$T/status"
	grep '^iotrace: ' "$T/err" >"$T/err.ours"
	grep -v '^iotrace: ' "$T/err" >"$T/err.program"
	mv "$T/err.program" "$T/err"
	undisturbed "started with $1"
	is "started with $1: a log, or one line" "$(($(n_logs) > 0 ? 1 : 0)) $(wc -l <"$T/err.ours" | tr -d ' ')" "${2:-1 0}"
}
# dynamic ones need a descriptor to be loaded
for fds in $(either '0 1 2 3' ''); do
	started "--nofile=$fds" '0 1'
	like "started with --nofile=$fds: which says why" "$T/err.ours" 'limit on descriptors is too low'
done
# the program wants as many as it may have
for fds in 4 5 6 64 65; do
	started --nofile=$fds
done
for size in 4096 8191; do
	started --fsize=$size '0 1'
done
# a header, its text and the smallest of windows
started --fsize=65536
# How much the program needs; the recorder takes up to 1.1 MiB more (1.8), and what it
# can't have there it does without.  Dynamic executables have all of its code.
for what in as data; do
	k=100
	while [ $k -lt 10000 ]; do
		( (cd "$T/in" && exec prlimit --$what=$((k * 1024)) "$T/plain/limits" none 100 >/dev/null); exit $?) 2>/dev/null
		[ $? -ne 11 ] || break
		k=$((k + 100))
	done
	ok "$what: the program needs $k KiB" test $k -lt 10000
	# with less than the recorder needs there is no log, and no word of that
	rm -rf "$logs"
	mkdir "$logs"
	: >"$T/words"
	for more in 0 64 128 192 256 320 384 448 512 576 640 704 768; do
		(cd "$T/in" && IOTRACE_DIR=$logs exec prlimit --$what=$(((k + more) * 1024)) "$T/traced/limits" none 100) \
			>/dev/null 2>"$T/err"
		cat "$T/err" >>"$T/words"
		[ "$(n_logs)" = 0 ] || break
	done 2>/dev/null
	unlike "$what: it does not speak of what it lacks" "$T/words" '^iotrace: '
	for more in 1100 1200 1300 1400; do
		started --$what=$(((k + more + $(either 0 700)) * 1024))
	done
done
done_testing
