#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that are started for little: each way to start one is seen, once, in static and in dynamic
# executables; a process that goes on with the same program is none.
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >start.c <<'EOT_C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const args[] = {"true", NULL};

static void become(const char *how)
{
	if (!strcmp(how, "execl"))
		execl("/bin/true", "true", NULL);
	else if (!strcmp(how, "execlp"))
		execlp("true", "true", NULL);
	else if (!strcmp(how, "execle"))
		execle("/bin/true", "true", NULL, environ);
	else if (!strcmp(how, "execv"))
		execv("/bin/true", args);
	else if (!strcmp(how, "execvp"))
		execvp("true", args);
	else if (!strcmp(how, "execvpe"))
		execvpe("true", args, environ);
	else if (!strcmp(how, "execve"))
		execve("/bin/true", args, environ);
	else if (!strcmp(how, "fexecve"))
		fexecve(open("/bin/true", O_RDONLY | O_CLOEXEC), args, environ);
	else if (!strcmp(how, "execveat"))
		execveat(AT_FDCWD, "/bin/true", args, environ, 0);
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *how = argv[argc - 1];
	pid_t pid;

	for (int i = 0; i < 60; i++) {
		if (!strcmp(how, "posix_spawn")) {
			if (posix_spawn(&pid, "/bin/true", NULL, NULL, args, environ))
				return 1;
		} else {
			pid = fork();
			if (!pid)
				become(how);
		}
		if (waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	return 0;
}
EOT_C

# found: how many findings there are about it, and of how many programs, by which call
found()
{
	"$top_builddir/tools/iotrace-stat" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
		printf "%s %s\n", $_->{count}, $_->{call} for grep { $_->{id} eq "programs" } @{decode_json($_)->{findings}}'
}

for form in -static -dynamic; do
	ok "it compiles with iocc $form" "$IOCC" $form -g -o start start.c || continue
	for how in execl execlp execle execv execvp execvpe execve fexecve execveat posix_spawn none; do
		case $how in
		none) expected= ;;
		posix_spawn) expected='60 posix_spawn' ;;
		*) expected='60 fork' ;;
		esac
		rm -rf logs
		mkdir logs
		IOTRACE_DIR="$T/logs" ./start $how
		is "$form, $how: what is found" "$(found)" "$expected"
	done
done

done_testing
