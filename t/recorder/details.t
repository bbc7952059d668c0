#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the log says of structures that calls are given, or give back: locks, times to
# wait, and what stat found; as strace has it.
. "${0%/*}/../lib/tap.sh"
command -v strace >/dev/null || skip_all 'no strace'
cd "$T" || exit 99

# both PROGRAM CALLS: the lines of these calls, as strace has them and as the log
# does, are in $T/strace and $T/log
both()
{
	rm -rf logs
	mkdir logs
	# a file for each process: none says that a call is unfinished
	rm -f raw*
	IOTRACE_DIR=$T/logs strace -ff -qq -e signal=none -o raw "$1" >out 2>err </dev/null
	cat raw.* >raw
	"$IOTRACE_CAT" -e "$2" logs >said 2>&1
}

cat >locks.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static struct flock area = { F_RDLCK, SEEK_SET, 0, 0, 77 };

int main(void)
{
	struct flock l = { F_WRLCK, SEEK_SET, 5, 10, 0 };
	int fd = open("file", O_RDWR | O_CREAT, 0600), to[2], back[2];
	char c;

	(void)!(pipe(to) + pipe(back));
	(void)!write(fd, "0123456789abcdef", 16);
	fcntl(fd, F_SETLK, &l);
	l = (struct flock){ F_RDLCK, SEEK_END, -4, 2, 0 };
	fcntl(fd, F_SETLKW, &l);
	l = (struct flock){ F_UNLCK, SEEK_CUR, -1, 0, 0 };
	fcntl(fd, F_SETLK, &l);
	l = (struct flock){ F_WRLCK, SEEK_SET, 1L << 40, 1L << 41, 0 };
	fcntl(fd, F_OFD_SETLK, &l);
	fcntl(fd, F_OFD_SETLKW, &l);
	l = (struct flock){ F_WRLCK, SEEK_SET, 0, 3, 0 };
	fcntl(fd, F_SETLK, &l);
	lseek(fd, 7, SEEK_SET);
	lockf(fd, F_TLOCK, 3);
	if (!fork()) {
		fcntl(fd, F_SETLK, &area);	/* is refused */
		fcntl(fd, F_GETLK, &area);	/* the parent's */
		fcntl(fd, F_SETLK, (void *)8);
		l.l_type = 9;
		fcntl(fd, F_SETLK, &l);
		_exit(0);
	}
	wait(NULL);
	fcntl(fd, F_GETLK, &area);
	flock(fd, LOCK_EX | LOCK_NB);
	return 0;
}
EOT
ok 'locks: is built' "$IOCC" -static -O2 locks.c -o locks
both ./locks fcntl
# without what the other does not say: a process, a time and where the structure is;
# a pid that the kernel did not ask for
sed -n 's/^[0-9]* *\(fcntl(.*\)/\1/p' raw | sed 's/) *= /) = /' |
	sed 's/l_type=0x9 [^,]*, /l_type=0x9, /' |
	sed 's/\(l_type=F_UNLCK.*\), l_pid=[0-9]*}/\1}/' | grep l_type | grep -v 'SEEK_CUR, l_start=0, l_len=3' | sort >want
sed -n 's/^\([0-9/]* \)*\(fcntl(.*\) <[0-9.]*>$/\2/p' said | grep l_type |
	sed 's/0x[0-9a-f]*, {/{/' | sort >got
same 'type, range and owner of locks are what strace says' got want
ok 'there are all of them' test "$(grep -c l_type got)" -ge 9
ok 'with the pid of the lock in the way' grep -q 'F_GETLK.*l_pid=[1-9]' got
is 'what can not be read is not there' "$(grep -c '0x8)' said)" 1
"$IOTRACE_CAT" --offsets -e lockf,flock logs >said
is 'lockf locks from the file offset on' \
	"$(sed -n 's/^.*\(lockf(\)[0-9]*\(.*\) <.*/\1N\2/p' said)" 'lockf(N, F_TLOCK, 3) = 0 @7'
"$IOTRACE_CAT" --format=json -e fcntl logs | sed -n 's/.*"args":{"cmd":"F_SETLK",[^,]*,\(.*\)}}/\1/p' | sed 1q >got
is 'JSON has them as arguments' "$(cat got)" \
	'"l_type":"F_WRLCK","l_whence":"SEEK_SET","l_start":5,"l_len":10'

cat >times.c <<'EOT'
#define _GNU_SOURCE
#include <aio.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct timespec area = { 0, 1000001 };

int main(void)
{
	struct timespec *ts = malloc(sizeof(*ts)), t = { 0, 2000000 };
	struct timeval tv = { 0, 3001 };
	struct epoll_event e;
	int fd[2], ep = epoll_create1(0);
	struct pollfd p;

	(void)!pipe(fd);
	p = (struct pollfd){ fd[0], POLLIN, 0 };
	*ts = (struct timespec){ 0, 4000000 };
	poll(&p, 1, 1);
	poll(&p, 0, 0);
	ppoll(&p, 1, &t, NULL);
	ppoll(&p, 1, &area, NULL);
	ppoll(&p, 1, ts, NULL);
	select(0, NULL, NULL, NULL, &tv);
	pselect(0, NULL, NULL, NULL, &t, NULL);
	epoll_wait(ep, &e, 1, 2);
	epoll_pwait(ep, &e, 1, 0, NULL);
	epoll_pwait2(ep, &e, 1, ts, NULL);
	syscall(SYS_ppoll, &p, 1, ts, NULL, 8);
	(void)!write(fd[1], "x", 1);
	poll(&p, 1, -1);
	*ts = (struct timespec){ 1000, 999999999 };
	ppoll(&p, 1, ts, NULL);
	ppoll(&p, 1, NULL, NULL);
	tv = (struct timeval){ 5, 7 };
	syscall(SYS_pselect6, 0, NULL, NULL, NULL, (void *)8, NULL);
	ts->tv_nsec = -1;
	ppoll(&p, 1, ts, NULL);
	return 0;
}
EOT
ok 'times: is built' "$IOCC" -static -O2 times.c -o times
for form in '' --syscalls; do
	tap_about="times $form: "
	if [ -n "$form" ]; then
		rm -rf logs
		"$IOCC" --iotrace-syscalls -static -O2 times.c -o times
		IOTRACE_SYSCALLS=1 both ./times poll,ppoll,select,pselect,epoll_wait,epoll_pwait,epoll_pwait2
	else
		both ./times poll,ppoll,select,pselect,epoll_wait,epoll_pwait,epoll_pwait2
	fi
	# poll and epoll_wait have milliseconds, the others a structure, NULL or a bad address
	perl -ne 's/^\d+ +//;
		next if !/^(p?poll|pselect6|epoll_p?wait2?)\(/;
		print "$1\n" and next if /^(?:poll|epoll_p?wait)\(.*?, (-?\d+)(?:, NULL)?(?:, 8)?\) += /;
		/tv_sec=(-?\d+), tv_nsec=(-?\d+)/ ? print length $2 > 9 ? "?\n" : sprintf "%d.%09d s\n", $1, $2 :
			print /0x8/ ? "?\n" : "NULL\n"' raw >want
	perl -ne 's/^[\d\/]* //; s/ <[\d.]*>$//; s/ ms\b//;
		print "$1\n" and next if /^(?:poll|epoll_p?wait)\(.*?, (-?\d+)(?:, NULL)?\) = /;
		print /(\d+\.\d{9} s)/ ? "$1\n" : /, \?/ ? "?\n" : "NULL\n"' said >got
	same 'how long they wait is what strace says' got want
	ok 'there are all of them' test "$(wc -l <got)" -ge 16
	ok 'milliseconds are called so' grep -q 'poll(.*, 1 ms)' said
done
tap_about=
"$IOTRACE_CAT" --format=json -e ppoll logs | sed -n 's/.*"args":{\(.*\)}}/\1/p' | sed 's/"sigmask.*//; 1q' >got
is 'JSON has nanoseconds' "$(cat got)" '"nfds":1,"tmo":2000000,'

cat >stats.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct stat st, *heap = malloc(sizeof(*heap));
	struct statx stx;
	int fd = open("some", O_RDWR | O_CREAT | O_TRUNC, 0640);

	fstat(fd, &st);
	(void)!write(fd, "0123456789", 10);
	fstat(fd, heap);
	stat("some", &st);
	lstat("/proc/self/exe", &st);
	stat("/dev/null", &st);
	stat("none", &st);
	fstatat(AT_FDCWD, "some", &st, AT_SYMLINK_NOFOLLOW);
	fstatat(fd, "", &st, AT_EMPTY_PATH);
	fstatat(-5, "some", &st, 0);
	stat("some", (void *)8);
	statx(AT_FDCWD, "some", 0, STATX_BASIC_STATS, &stx);
	statx(AT_FDCWD, "some", 0, STATX_SIZE | STATX_MODE, &stx);
	(void)!ftruncate(fd, 1L << 40);
	syscall(SYS_fstat, fd, &st);
	syscall(SYS_stat, "some", &st);
	fstat(77, &st);
	return 0;
}
EOT
for form in '' --syscalls; do
	tap_about="stat $form: "
	# shellcheck disable=SC2086 # an option, or none
	ok 'is built' "$IOCC" ${form:+--iotrace-syscalls} -static -O2 stats.c -o stats
	if [ -n "$form" ]; then
		IOTRACE_SYSCALLS=1 both ./stats stat,fstat,lstat,fstatat,statx
	else
		both ./stats stat,fstat,lstat,fstatat,statx
	fi
	# strace tells the recorder's own from them no better than it does the program's
	perl -ne 'BEGIN { %type = (REG => 0100000, CHR => 0020000, DIR => 0040000, LNK => 0120000) }
		printf "%d %#o\n", $3 // 0, $type{$1} | oct $2
			if /stx?_mode=S_IF(...)\|(\d+)(?:.*?stx?_size=(\d+))?/' raw >strace
	perl -ne 'print /\{st_size=(\d+), st_mode=(\d+)\}/ ? "$1 $2\n" : "none\n"' said >got
	sort -u got >got-all
	sort -u strace >strace-all
	is 'each is what strace saw' "$(grep -v none got-all | comm -23 - strace-all)" ''
	is 'sizes and modes' "$(tr '\n' , <got)" \
		"0 0100640,10 0100640,10 0100640,0 0120777,0 020666,none,10 0100640,10 0100640,none,none,10 0100640,10 0100640,1099511627776 0100640,1099511627776 0100640,none,"
done
tap_about=
"$IOTRACE_CAT" --format=json -e fstat logs | sed -n '2s/.*"args":{\(.*\)}}/\1/p' >got
is 'JSON has them as numbers' "$(cat got)" '"st_size":10,"st_mode":33184'

# what vmsplice does depends on its descriptor
cat >ends.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
	static char text[4000];
	struct iovec out = { text, 4000 }, in = { text, 1000 };
	int p[2], both;

	if (pipe(p) || mkfifo("fifo", 0600) || (both = open("fifo", O_RDWR)) < 0)
		return 1;
	return vmsplice(p[1], &out, 1, 0) != 4000 || vmsplice(p[0], &in, 1, 0) != 1000 ||
	       vmsplice(both, &in, 1, 0) != 1000 || vmsplice(p[0], &in, 1, SPLICE_F_GIFT) != 1000 ||
	       vmsplice(99, &in, 1, 0) != -1;
}
EOT
for form in static dynamic --syscalls; do
	tap_about="vmsplice, $form: "
	rm -rf fifo logs
	case $form in
	static) set -- -static ;;
	dynamic) set -- ;;
	*) set -- --iotrace-syscalls ;;
	esac
	ok 'is built' "$IOCC" "$@" -O2 ends.c -o ends
	if [ $form = --syscalls ]; then
		IOTRACE_DIR=$T/logs IOTRACE_SYSCALLS=1 ./ends
	else
		IOTRACE_DIR=$T/logs ./ends
	fi
	is 'does what it is to' $? 0
	is 'which ends are read from' "$("$IOTRACE_CAT" --format=json -e vmsplice logs |
		perl -ne 'print /"args":\{[^}]*"reads":1/ ? "reads " : /"ret":-1/ ? "fails " : "writes "')" \
		'writes reads writes reads fails '
	like 'as text' logs.txt "$("$IOTRACE_CAT" -e vmsplice logs >logs.txt; echo 'vmsplice\(.*, \{reads=1\}\) = 1000')"
	"$IOTRACE_STAT" --format=json logs >stat.json
	is 'iotrace-stat: bytes of either' \
		"$(perl -MJSON::PP -e 'local $/; my $t = decode_json(<STDIN>)->{total}; print "$t->{read} $t->{written}"' <stat.json)" '2000 5000'
	ok 'iotrace-stat: as iotrace-cat has it' "$top_srcdir/t/lib/stat-sums" logs
done
tap_about=

# how setvbuf buffers has names
cat >buffers.c <<'EOT'
#include <stdio.h>

int main(void)
{
	return setvbuf(stdin, NULL, _IONBF, 0) || setvbuf(stdout, NULL, _IOLBF, 100) ||
	       setvbuf(stderr, NULL, _IOFBF, 100) || !setvbuf(stdout, NULL, 77, 0);
}
EOT
rm -rf logs
ok 'setvbuf: is built' "$IOCC" -static -O2 buffers.c -o buffers
IOTRACE_DIR=$T/logs ./buffers
is 'its modes' "$("$IOTRACE_CAT" -e setvbuf logs | sed 's/.*NULL, \([^,]*\),.*/\1/' | tr '\n' ' ')" '_IONBF _IOLBF _IOFBF 0x4d '
done_testing
