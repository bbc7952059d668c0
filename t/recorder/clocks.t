#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A wall clock that is set while a program runs, forwards and backwards: calls keep their
# order and their durations, and the log says when the program began by the clock of then.
# So do the calls of programs that it starts, which have logs of their own.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# shellcheck disable=SC2086 # CC may have options
ok 'a clock to be set is built' $CC -O2 -Wall -o "$T/clocks" "$rec_src/clocks.c" || done_testing
"$T/clocks" true || skip_all 'processes can not be traced here'

# jump CALLS JUMP AT...: sets the clock by so many seconds after that many calls.  Prints
# the wall clock when it began, how many ns passed by the monotonic one, and about how many
# jumps there were; each call has as its offset how many of these ns had passed.  KILLED: ends
# by SIGKILL.
cat >"$T/jump.c" <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY), n = atoi(argv[1]), jump = atoi(argv[2]);
	long long first = now(CLOCK_MONOTONIC), real = now(CLOCK_REALTIME);

	for (int i = 0; i < n; i++) {
		for (int k = 3; k < argc; k++)
			if (i == atoi(argv[k])) {
				struct timespec ts = { now(CLOCK_REALTIME) / 1000000000 + jump, 0 };

				if (clock_settime(CLOCK_REALTIME, &ts))
					return 98;
			}
		if (pwrite(fd, "x", 1, now(CLOCK_MONOTONIC) - first) != 1)
			return 97;
	}
	printf("%lld %lld %.0f\n", real, now(CLOCK_MONOTONIC) - first,
	       (double)(now(CLOCK_REALTIME) - real) / 1e9 / (jump ? jump : 1e9));
	fflush(stdout);
	if (getenv("KILLED"))
		kill(getpid(), SIGKILL);
	return 0;
}
END
mkdir -p "$T/traced"
# shellcheck disable=SC2086
ok 'jump compiles' "$IOCC" $link -O2 -Wall "$T/jump.c" -o "$T/traced/jump" || done_testing

# jumped DESCRIPTION CALLS JUMP AT...
jumped()
{
	what=$1
	n=$2
	shift
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_BUFFER=16k IOTRACE_DIR=$logs "$T/clocks" "$T/traced/jump" "$@" >"$T/out" 2>"$T/err")
	is "$what: the program does what it does" "$?" "${KILLED:-0}"
	read -r real took jumps <"$T/out"
	is "$what: the clock did jump" "$jumps" $(($# - 2))
	sound "$what"
	count "$what: every call" '$call == "pwrite"' "$n"
	# starts go as the monotonic clock did, to within what lies between two calls: none
	# is early or late by the jump, which is larger than all that the program took
	by_column -v real="$real" -v took="$took" '
		$call == "pwrite" {
			if (n++ && $start < last) back++
			last = $start
			if ($dur > took || $dur < 0) long++
			d = $start - real - $offset
			if (d > took || d < -took) away++
		}
		END { print n + 0, back + 0, long + 0, away + 0 }' "$T/calls" >"$T/found"
	is "$what: in order, no longer than all, and where they belong" "$(cat "$T/found")" "$n 0 0 0"
	"$IOTRACE_STAT" --format=json "$logs" >"$T/json" 2>"$T/stat.err"
	is "$what: iotrace-stat takes it" "$? $(cat "$T/stat.err")" '0 '
}

jumped 'no jump' 20000 0
for by in 3600 -3600 100000000 -100000000; do
	jumped "by $by s" 20000 $by 10000
	jumped "by $by s, at the first call" 5000 $by 0
	jumped "by $by s, in the last block" 20000 $by 19990
	jumped "by $by s, again and again" 20000 $by 100 3000 3001 9000 15000 19000
	KILLED=137; export KILLED
	jumped "by $by s, and killed" 20000 $by 10000
	unset KILLED
done

# spawns JUMP COMMAND...: three times a call, the clock set by so many seconds, a program that
# makes a call, started by that command, and a call.  Their offsets count up.  Prints the ns of all.
cat >"$T/spawns.c" <<'END'
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY), jump = atoi(argv[1]), status;
	long long first = now(CLOCK_MONOTONIC);
	char *child[12] = { 0 }, number[20];
	pid_t pid;

	if (argc == 2)
		return pwrite(fd, "x", 1, jump) != 1;
	for (int i = 2; i < argc && i < 12; i++)
		child[i - 2] = argv[i];
	child[argc - 2] = number;
	for (int i = 0; i < 9; i += 3) {
		struct timespec ts = { now(CLOCK_REALTIME) / 1000000000 + jump, 0 };

		if (pwrite(fd, "x", 1, i) != 1)
			return 97;
		if (jump && clock_settime(CLOCK_REALTIME, &ts))
			return 98;
		snprintf(number, sizeof(number), "%d", i + 1);
		if (posix_spawnp(&pid, *child, NULL, NULL, child, environ) || waitpid(pid, &status, 0) != pid || status)
			return 96;
		if (pwrite(fd, "x", 1, i + 2) != 1)
			return 97;
	}
	printf("%lld\n", now(CLOCK_MONOTONIC) - first);
	return 0;
}
END
# shellcheck disable=SC2086
ok 'spawns compiles' "$IOCC" $link -O2 -Wall "$T/spawns.c" -o "$T/traced/spawns" || done_testing

# in_order DESCRIPTION LOG...: all calls of the programs
in_order()
{
	what=$1
	shift
	"$IOTRACE_CAT" --format=raw -e pwrite "$@" >"$T/raw" 2>"$T/cat.err"
	is "$what: logs are sound" "$? $(cat "$T/cat.err")" '0 '
	grep -v '^#' "$T/raw" >"$T/calls"
	is "$what: calls in their order" "$(by_column '{ printf "%s ", $offset }' "$T/calls")" '0 1 2 3 4 5 6 7 8 '
	by_column -v took="$took" 'NR == 1 || $start < first { first = $start } $start > last { last = $start }
		END { print last - first <= took }' "$T/calls" >"$T/found"
	is "$what: within what all took" "$(cat "$T/found")" 1
}

# spawned DESCRIPTION JUMP COMMAND...
spawned()
{
	about=$1
	shift
	rm -rf "$logs"
	mkdir "$logs"
	IOTRACE_DIR=$logs "$T/clocks" "$T/traced/spawns" "$@" >"$T/out" 2>"$T/err"
	is "$about: the program does what it does" "$?" 0 || diag_file "$T/err"
	read -r took <"$T/out"
	is "$about: four logs" "$(n_logs "$logs")" 4
	in_order "$about" "$logs"
	# whichever log is read first
	# shellcheck disable=SC2046
	in_order "$about, the last one first" $(find "$logs" -name '*.iotrace' | sort -r)
	in_order "$about, followed" -f "$logs"
}

for by in 0 3600 -3600 100000000; do
	spawned "spawned, the clock set by $by s" $by "$T/traced/spawns"
done
# programs of another time namespace have other clocks: theirs tell nothing of when it was
if unshare -rT --monotonic 1000 --boottime 5000 true 2>/dev/null; then
	for ns in '--monotonic 1000' '--boottime 1000' '--monotonic 1000 --boottime 5000'; do
		# shellcheck disable=SC2086
		spawned "spawned with $ns" 0 unshare -rT $ns "$T/traced/spawns"
	done
fi
done_testing
