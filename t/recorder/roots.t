#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that get another root directory, by chroot or pivot_root, and programs with as
# many descriptors as they may have: all that a process does goes to its log, and what a
# child does that finds no directory for one is counted.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

cat >"$T/roots.c" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void calls(const char *name, int n)
{
	int fd = open(name, O_RDWR | O_CREAT, 0644);

	for (int i = 0; i < n; i++)
		if (pwrite(fd, "abcd", 4, 4 * i) != 4) {
			printf("%s: %s\n", name, strerror(errno));
			return;
		}
	close(fd);
}

static int pivot(void)
{
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount("tmpfs", "root", "tmpfs", 0, NULL) || mkdir("root/old", 0755) ||
	       syscall(SYS_pivot_root, "root", "root/old") || chdir("/") || umount2("/old", MNT_DETACH) ||
	       rmdir("/old");
}

int main(int argc, char **argv)
{
	int status;

	calls("before", 10000);
	mkdir("root", 0755);
	if (!strcmp(argv[1], "pivot") ? pivot() : chroot("root") || chdir("/")) {
		perror(argv[1]);
		return 77;
	}
	calls("/after", 30000);
	if (argc > 2)
		closefrom(3);
	calls("/closed", 30000);
	if (!fork()) {
		calls("/child", 100);
		_exit(0);
	}
	wait(&status);
	printf("child: %d\n", status);
	return 0;
}
END
mkdir "$T/plain" "$T/traced"
# shellcheck disable=SC2086 # CC may have options, and link be none
ok 'roots compiles' $CC $link -O2 -Wall "$T/roots.c" -o "$T/plain/roots" || done_testing
# shellcheck disable=SC2086
ok 'roots compiles with iocc' "$IOCC" $link -O2 -Wall "$T/roots.c" -o "$T/traced/roots" || done_testing
for how in chroot pivot 'chroot closed' 'pivot closed'; do
	# shellcheck disable=SC2086 # words
	run_plain roots $how
	if [ "$(cat "$T/plain.status")" = 77 ]; then
		skip "$how" 'only root may do that'
		continue
	fi
	# shellcheck disable=SC2086
	IOTRACE_BUFFER=16k run roots $how
	undisturbed "$how"
	cat_logs
	count "$how: calls before" '$call == "pwrite" && $path ~ "/in/before$"' 10000
	count "$how: calls in the new root" '$call == "pwrite" && $path == "/after"' 30000
	count "$how: and when all descriptors had been closed" '$call == "pwrite" && $path == "/closed"' 30000
	count "$how: the child's" '$call == "pwrite" && $path == "/child"' 100
	is "$how: nothing was lost" "$(lost)" 0
done

cat >"$T/many.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, *fd = malloc((size_t)n * sizeof(*fd));

	for (int i = 0; i < n; i++)
		if ((fd[i] = open("/dev/null", O_RDWR)) < 0)
			return 1;
	for (int i = 0; i < n; i++)
		if (write(fd[i], "x", 1) != 1)
			return 2;
	for (int i = 0; i < n; i++)
		if (close(fd[i]))
			return 3;
	printf("%d\n", n);
	return 0;
}
END
# shellcheck disable=SC2086
ok 'many compiles' $CC $link -O2 -Wall "$T/many.c" -o "$T/plain/many" || done_testing
# shellcheck disable=SC2086
ok 'many compiles with iocc' "$IOCC" $link -O2 -Wall "$T/many.c" -o "$T/traced/many" || done_testing
# shellcheck disable=SC3045 # Debian's sh has it
hard=$(ulimit -Hn)
[ "$hard" != unlimited ] && [ "$hard" -lt 100100 ] || hard=100100
# shellcheck disable=SC3045
ulimit -n "$hard"
for n in 1100 5000 $((hard - 100)); do
	both many "$n"
	sound "$n descriptors"
	count "$n descriptors: opened" '$call == "open" && $path == "/dev/null"' "$n"
	count "$n descriptors: written to" '$call == "write" && $path == "/dev/null" && $ret == 1' "$n"
	is "$n descriptors: nothing was lost" "$(lost)" 0
done
done_testing
