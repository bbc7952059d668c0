#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What logs say beside calls: the machine, file systems and files as the kernel has them,
# stripes of Lustre and BeeGFS as strace feigns them, and what threads used.
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >opens.c <<'EOT'
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	struct stat st;
	int fd;

	stat("seen", &st);
	truncate("seen", 5000);
	fd = open("seen", O_RDWR);
	(void)!write(fd, "more", 4);
	close(open("emptied", O_WRONLY | O_TRUNC));
	close(open("new", O_WRONLY | O_CREAT, 0600));
	close(open("/proc/self/stat", O_RDONLY));
	return access("none", F_OK) == 0;
}
EOT
ok 'opens is built' "$IOCC" -static -O2 opens.c -o opens
echo 123 >seen
echo 1234567 >emptied
mkdir logs
IOTRACE_DIR=$T/logs ./opens
"$IOTRACE_CAT" --about logs >listing
"$IOTRACE_CAT" --about --format=json logs >listing.json
is 'one line is about the process' "$(grep -c '^process' listing)" 1
cores=$(nproc)
memory=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 1024))
is 'it has processors and memory' "$(sed -n 's/^process [0-9]* opens on [^:]*: //p' listing)" \
	"$cores cores, $memory bytes of memory"
# dev FILE: as the log has it
dev() { stat -c '%Hd:%Ld' "$1"; }
# of FILE SIZE: its line
of()
{
	is "$1: device, inode, mode, size when it was opened, block size" "$(grep -F "\"$T/$1\"" listing)" \
		"file \"$T/$1\": device $(dev "$1"), inode $(stat -c %i "$1"), mode 0$(printf %o "0x$(stat -c %f "$1")"), $2 bytes when it was opened, blocks of $(stat -c %o "$1") bytes"
}
of seen 5000
of emptied 0
of new 0
is 'what is not there is no file' "$(grep -c /none listing)" 0
is 'each device once' "$(grep -c '^device' listing)" "$(grep '^device' listing | sort -u | wc -l)"
ok 'with type and block size of its file system' \
	grep -q -E "^device $(dev seen) \((0x$(stat -fc %t seen)|[a-z0-9/]+)\), blocks of $(stat -fc %s seen) bytes\$" listing
ok 'proc has a name' grep -q '^device .* (proc)' listing
is 'JSON has the same' "$(sed -n "s,.*\"about\":\"file\".*\"path\":\"$T/seen\",,p" listing.json)" \
	",\"dev\":$(stat -c %d seen),\"ino\":$(stat -c %i seen),\"mode\":$((0x$(stat -c %f seen))),\"size\":5000,\"blksize\":$(stat -c %o seen)}"

# --- stripes ------------------------------------------------------------------
# le BYTES NUMBER: in hexadecimal, the lowest byte first
le()
{
	perl -e 'print unpack "H*", substr pack("Q<", $ARGV[1]), 0, $ARGV[0]' "$1" "$2"
}
# lov MAGIC SIZE COUNT FIRST: of one component, with its first object
lov()
{
	printf %s "$(le 4 "$1")$(le 4 1)$(le 8 7)$(le 8 0)$(le 4 "$2")$(le 2 "$3")$(le 2 0)"
	[ "$1" != $((0x0bd30bd0)) ] || printf %s "$(le 8 0)$(le 8 0)"
	printf %s "$(le 8 1)$(le 8 0)$(le 4 0)$(le 4 "$4")"
}
# feign TYPE SYSCALL BYTES RESULT: opens, on such a file system
feign()
{
	rm -rf logs
	mkdir logs
	IOTRACE_DIR=$T/logs strace -qq -o raw -e trace=statfs,fstatfs,fgetxattr,ioctl \
		-e "inject=statfs:retval=0:poke_exit=@arg2=$(le 8 "$1")$(le 8 65536)" \
		-e "inject=fstatfs:retval=0:poke_exit=@arg2=$(le 8 "$1")$(le 8 65536)" \
		-e "inject=$2:retval=$4:poke_exit=@arg3=$3" ./opens 2>err </dev/null
	"$IOTRACE_CAT" --about logs >listing 2>&1
	"$IOTRACE_CAT" --about --format=json logs >listing.json 2>&1
}
if strace -qq -o raw -e inject=fstatfs:retval=0:poke_exit=@arg2=00 true 2>err && [ ! -s err ]; then
	lustre=$((0x0bd00bd0))
	bytes=$(lov $((0x0bd10bd0)) 1048576 4 3)
	feign $lustre fgetxattr "$bytes" $((${#bytes} / 2))
	ok 'Lustre is known' grep -q '^device .* (lustre), blocks of 65536 bytes' listing
	ok 'stripes of Lustre, as one' grep -q '/seen".*; from offset 0 stripes of 1048576 bytes on 4 targets from number 3$' listing
	ok 'in JSON' grep -q '/seen".*,"stripes":\[{"from":0,"size":1048576,"count":4,"first":3}\]}$' listing.json
	one=$(lov $((0x0bd30bd0)) 65536 1 9)
	two=$(lov $((0x0bd10bd0)) 4194304 8 2)
	entries=$((32 + 2 * 48))
	bytes=$(le 4 $((0x0bd60bd0)))$(le 4 500)$(le 4 0)$(le 2 0)$(le 2 2)$(le 8 0)$(le 8 0)
	bytes=$bytes$(le 8 0)$(le 8 0)$(le 8 1048576)$(le 4 $entries)$(le 4 72)$(le 8 0)$(le 8 0)
	bytes=$bytes$(le 8 0)$(le 8 1048576)$(le 8 -1)$(le 4 $((entries + 72)))$(le 4 56)$(le 8 0)$(le 8 0)
	feign $lustre fgetxattr "$bytes$one$two" $((entries + 72 + 56))
	ok 'and in two components' grep -q '/seen".*; from offset 0 stripes of 65536 bytes on 1 targets from number 9; from offset 1048576 stripes of 4194304 bytes on 8 targets from number 2$' listing
	feign $lustre fgetxattr "$bytes" $entries
	is 'what is cut short says nothing' "$(grep -c 'stripes of' listing)" 0
	feign $((0x19830326)) ioctl "$(le 4 1)$(le 4 524288)$(le 2 6)" 0
	ok 'stripes of BeeGFS' grep -q '/seen".*; from offset 0 stripes of 524288 bytes on 6 targets$' listing
	ok 'strace has seen to it' grep -q INJECTED raw
else
	skip 'stripes' 'strace can not feign them'
fi

# --- what threads used -----------------------------------------------------------
cat >uses.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct rusage from, to;
static long tid;

static void *work(void *p)
{
	const size_t size = 4 << 20;
	int fd = open("written", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char *m;

	getrusage(RUSAGE_THREAD, &from);
	tid = syscall(SYS_gettid);
	m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(m, size, MADV_NOHUGEPAGE);
	memset(m, 1, size);
	for (int i = 0; i < 50000; i++)
		if (pwrite(fd, m, 1 + i % 7, i * 9) < 0)
			exit(1);
	/* who is kept from the processor may find that the time is over, and not wait */
	do {
		nanosleep(&(struct timespec){ 0, 1000 }, NULL);
		getrusage(RUSAGE_THREAD, &to);
	} while (to.ru_nvcsw < from.ru_nvcsw + 20);
	while (to.ru_utime.tv_sec == from.ru_utime.tv_sec && to.ru_utime.tv_usec < from.ru_utime.tv_usec + 20000)
		getrusage(RUSAGE_THREAD, &to);
	getrusage(RUSAGE_THREAD, &to);
	return p;
}

#define DIFFERENCE(of) (to.of - from.of)
#define TIME(of) (DIFFERENCE(of.tv_sec) * 1000000 + DIFFERENCE(of.tv_usec))
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	printf("%ld %ld %ld %ld %ld %ld %ld %ld %ld\n", tid, TIME(ru_utime), TIME(ru_stime), DIFFERENCE(ru_minflt),
	       DIFFERENCE(ru_majflt), DIFFERENCE(ru_inblock), DIFFERENCE(ru_oublock), DIFFERENCE(ru_nvcsw),
	       DIFFERENCE(ru_nivcsw));
	return 0;
}
EOT
for form in static dynamic; do
	tap_about="$form: "
	[ $form = static ] && static=-static || static=
	# shellcheck disable=SC2086 # an option, or none
	ok 'uses is built' "$IOCC" $static -O2 uses.c -o uses -lpthread
	rm -rf logs
	mkdir logs
	IOTRACE_BUFFER=16384 IOTRACE_DIR=$T/logs ./uses >said
	read -r tid numbers <said
	"$IOTRACE_CAT" --about logs >listing
	is 'each thread has a line' "$(grep -c '^thread' listing)" 2
	# what the thread counted lies within what the log says
	sed -n "s,^thread [0-9]*/$tid: ,,p" listing | sed 's/ of 512 bytes//; s/[^0-9. ]//g' |
		awk -v numbers="$numbers" '{
			split(numbers, n, " ")
			for (i = 1; i <= 8; i++)
				if (i < 3 ? int($i * 1000000 + 0.5) < n[i] : i != 6 && $i + 0 < n[i] + 0)
					print "number", i, "is", $i, "of", n[i]
			if (NF < 8 || $3 < 1024 || $7 < 20)
				print "too few:", $0
		}' >out
	is 'and no less than the thread itself counted' "$(cat out)" ''
	"$IOTRACE_STAT" --format=json logs | grep -o '"minor_faults":[0-9]*' >got
	ok 'iotrace-stat has the sum' test "$(sed 's/.*://' got)" -ge 1024
done
tap_about=

# what proc(5) says of a thread, at IOTRACE_CACHE's wish
cat >counts.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void look(long long *n)
{
	FILE *f = fopen("/proc/thread-self/io", "r");

	for (int i = 0; i < 7; i++)
		if (!f || fscanf(f, "%*s %lld", &n[i]) != 1)
			exit(77);
	fclose(f);
}

/* Says of a thread what it moved: 3 MB from no device, and 1 MiB that no device ever sees. */
static void *work(void *name)
{
	static char buf[1 << 20];
	int zero = open("/dev/zero", O_RDONLY), fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	long long from[7], to[7];

	look(from);
	for (int i = 0; i < 3; i++)
		if (read(zero, buf, 1000000) != 1000000)
			exit(1);
	if (write(fd, buf, sizeof(buf)) != sizeof(buf) || ftruncate(fd, 0))
		exit(1);
	look(to);
	printf("%ld", syscall(SYS_gettid));
	for (int i = 0; i < 7; i++)
		printf(" %lld", to[i] - from[i]);
	printf("\n");
	fflush(stdout);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	work("first");
	return pthread_create(&thread, NULL, work, "second") || pthread_join(thread, NULL);
}
EOT
for form in static dynamic; do
	tap_about="$form, /proc/PID/io: "
	[ $form = static ] && static=-static || static=
	# shellcheck disable=SC2086 # an option, or none
	ok 'counts is built' "$IOCC" $static -O2 counts.c -o counts -lpthread
	rm -rf logs
	mkdir logs
	IOTRACE_CACHE=1 IOTRACE_DIR=$T/logs ./counts >said
	if [ $? = 77 ]; then
		skip 'what the kernel counted' 'this kernel does not count, or does not say'
		continue
	fi
	"$IOTRACE_CAT" --about logs | sed -n 's,^io [0-9]*/,,p' | sed 's/[a-z_:,]//g' >listing
	# those of the recorder's own are there as well, but for what was cut off; the kernel cuts off whole pages
	awk 'NR == FNR { for (i = 2; i <= 8; i++) said[$1, i] = $i; threads++; next }
		{ n++
		  for (i = 2; i <= 7; i++)
			if ($i < said[$1, i] || $i > said[$1, i] + 4000000) print "number", i, "of", $1, "is", $i, "and was", said[$1, i]
		  if ($8 != said[$1, 8]) print "of", $1, "were cut off", $8, "and said", said[$1, 8] }
		END { if (n != threads) print n + 0, "threads of", threads }' said listing >out
	is 'is what each thread was told' "$(cat out)" ''
	"$IOTRACE_STAT" --format=json logs | grep -o '"rchar":[0-9]*' >got
	ok 'iotrace-stat has the sum' test "$(sed 's/.*://' got)" -ge 6000000
	"$IOTRACE_STAT" logs >text
	like 'and says so' text '^the kernel counted .* read, .* from devices; .* written, .* became dirty, '
done
rm -rf logs
mkdir logs
IOTRACE_DIR=$T/logs ./counts >said
tap_about=
is 'nobody asks unless it is wished for' "$("$IOTRACE_CAT" --about logs | grep -c '^io')" 0
done_testing
