#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Offsets are the kernel's, whoever else moves them: libc of itself, in functions that no
# call of the table stands for, or another process.
. "${0%/*}/../lib/tap.sh"
src=$top_srcdir/t/dynamic/offsets
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

# shellcheck disable=SC2086 # CC may have options
ok 'compiles without iocc' $CC -O1 -o plain "$src.c" -lpthread || done_testing
ok 'compiles with iocc' "$IOCC" -O1 -o traced "$src.c" -lpthread || done_testing
"$AWK" 'BEGIN { while (i++ < 3000) print i + 1000 }' >input

# all HOW COMMAND...: each case, in one directory, then what the log says
all()
{
	how=$1
	shift
	for append in '' append; do
		rm -rf in logs && mkdir in logs && cp input in && : >failed
		for case in $(./plain); do
			# shellcheck disable=SC2086 # there, or not
			(cd in && IOTRACE_DIR="$T/logs" exec "$@" $case $append >../out 2>&1) || echo "$case: $?" >>failed
		done
		"$IOTRACE_CAT" --format=json logs >json 2>cat.err
		ok "$how $append: the log is sound" test ! -s cat.err
		is "$how $append: the program runs" "$(cat failed)" ''
		perl "$src.pl" in/truth json >compared
		is "$how $append: each offset is there, and right" "$(cat compared)" \
			"$(./plain | wc -l | tr -d ' ') cases, all as they were"
	done
}

all traced ../traced
like 'what dprintf wrote: where it went' json '"call":"write".*/dprintf","offset":13,"size":8,.*"status":"inferred"'
all preloaded "$top_builddir/tools/iotrace-run" -o "$T/logs" ../plain
IOTRACE_SYSCALLS=1
export IOTRACE_SYSCALLS
all IOTRACE_SYSCALLS ../traced
unset IOTRACE_SYSCALLS

# descriptors that become a terminal's, unseen
cat >login.c <<'C'
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>
static int say(const char *text, size_t n)
{
	return write(1, text, n) != (ssize_t)n;
}
int main(void)
{
	int master, slave, status, log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	pid_t pid;

	if (log < 0 || dup2(log, 1) != 1 || say("1", 1) || openpty(&master, &slave, NULL, NULL, NULL))
		return 77;
	pid = fork();
	if (pid == 0)
		_exit(say("22", 2) || login_tty(slave) || say("333", 3));
	if (waitpid(pid, &status, 0) != pid || status || close(slave))
		return 1;
	pid = forkpty(&slave, NULL, NULL, NULL);
	if (pid == 0)
		_exit(say("4444", 4));
	return waitpid(pid, &status, 0) != pid || status || say("55555", 5);
}
C
ok 'login_tty: compiles' "$IOCC" -o login login.c -lutil
rm -rf logs && mkdir logs
$CC -o plain login.c -lutil
./plain >out 2>&1
plain=$?
IOTRACE_DIR="$T/logs" ./login >out 2>&1
status=$?
if [ $plain = 77 ]; then
	skip 'login_tty: each write by its file' 'there are no terminals to be had'
else
	is 'login_tty: the program runs' $status 0
	"$IOTRACE_CAT" --format=json -e write logs | sed -n 's/.*"path":"\([^"]*\)".*"size":\([0-9]*\).*/\2 \1/p' |
		sed "s|$T/||; s|/dev/pts/.*|terminal|" | sort >got
	is 'login_tty, forkpty: each write by its file' "$(tr '\n' ' ' <got)" '1 log 2 log 3 terminal 4 terminal 5 log '
fi
done_testing
