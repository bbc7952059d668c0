#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace drop-cache and iotrace warm: what they say of the page cache is what mincore(2) says.
. "${0%/*}/../lib/tap.sh"
iotrace=$top_builddir/tools/iotrace
cd "$T" || exit 99

cat >resident.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* FILE: bytes of it that are in memory; FILE COMMAND...: runs that while all are mapped and used */
int main(int argc, char **argv)
{
	static unsigned char there[4096];
	int fd = open(argv[1], O_RDONLY);
	struct stat st;
	long n = 0, sum = 0;
	int status = 0;
	char *p;

	fstat(fd, &st);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (fd < 0 || p == MAP_FAILED || mincore(p, (size_t)st.st_size, there))
		return 1;
	for (long i = 0; i * 4096 < st.st_size; i++) {
		n += there[i] & 1;
		if (argc > 2)
			sum += p[i * 4096];
	}
	if (argc == 2)
		return printf("%ld\n", n * 4096 < st.st_size ? n * 4096 : (long)st.st_size) < 0;
	if (!vfork()) {
		execv(argv[2], argv + 2);
		_exit(99);
	}
	wait(&status);
	return sum < 0 ? 98 : WEXITSTATUS(status);
}
EOT
# shellcheck disable=SC2086 # CC may have options
ok 'resident is built' $CC -O1 resident.c -o resident || done_testing

mkdir -p dir/below
head -c 1000000 /dev/zero | tr '\0' x >dir/one
head -c 5000 /dev/zero >dir/below/two
: >dir/empty
ln -s /nowhere dir/link
mkfifo dir/pipe

# a file system without a disk keeps all
case $(stat -f -c %t dir) in
1021994 | 858458f6) stays=1000000 gone=0 status=1 ;;
*) stays=0 gone=1000000 status=0 ;;
esac

"$iotrace" warm dir/one >out 2>err
is 'warm: status' $? 0
none 'warm: nothing to complain of' err
like 'warm: nothing is missing' out '^1 file: [0-9]* bytes read in, 0 missing$'
is 'warm: mincore says so, too' "$(./resident dir/one)" 1000000
"$iotrace" drop-cache -v dir/one >out 2>err
is 'drop-cache: status' $? $status
none 'drop-cache: nothing to complain of' err
is 'drop-cache: how much' "$(cat out)" "dir/one: $gone bytes evicted, $stays staying
1 file: $gone bytes evicted, $stays staying"
is 'drop-cache: mincore says so, too' "$(./resident dir/one)" $stays
"$iotrace" warm dir/one >out
is 'warm: what was missing is read in' "$(cat out)" "1 file: $gone bytes read in, 0 missing"
"$iotrace" drop-cache dir/one >/dev/null

# just written
head -c 1000000 /dev/zero | tr '\0' y >dir/one
"$iotrace" drop-cache dir/one >out
is 'what is dirty goes, too' "$(cat out)" "1 file: $gone bytes evicted, $stays staying"
is 'and is not lost' "$(tr -d y <dir/one | wc -c)" 0

# a process has it mapped
"$iotrace" warm dir/one >out
./resident dir/one "$iotrace" drop-cache dir/one >out
is 'what is mapped stays: status' $? 1
is 'what is mapped stays' "$(sed 's/[0-9]* bytes evicted/N bytes evicted/' out)" '1 file: N bytes evicted, 1000000 staying'

# directories
"$iotrace" warm -v dir >out 2>err
is 'a directory: status' $? 0
none 'a directory: pipes and links are nothing to complain of' err
is 'a directory: all files below it' "$(sed '$d; s/:.*//' out | sort | tr '\n' ' ')" 'dir/below/two dir/empty dir/one '
like 'a directory: their sum' out '^3 files: [0-9]* bytes read in, 0 missing$'

# the files that a log names, and what was used of them
cat >uses.c <<'EOT'
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Reads pages 0, 1 and 10 of a file, maps another from its page 3 on, and removes what it wrote. */
int main(void)
{
	static char buf[8192];
	int read_it = open("used/read", O_RDONLY), map_it = open("used/map", O_RDONLY);
	int gone = open("used/gone", O_RDWR | O_CREAT, 0600);

	if (pread(read_it, buf, 5000, 100) != 5000 || pread(read_it, buf, 1, 40960) != 1 ||
	    mmap(NULL, 20000, PROT_READ, MAP_SHARED, map_it, 12288) == MAP_FAILED || write(gone, buf, 100) != 100)
		return 1;
	return unlink("used/gone") || access("used/unused", R_OK);
}
EOT
ok 'a program is built' "$IOCC" -static -O1 uses.c -o uses
mkdir used logs
for name in read map unused; do
	head -c 1000000 /dev/zero | tr '\0' x >used/$name
done
ok 'and runs' env IOTRACE_DIR=logs ./uses
sync -f used
# of each file the name, and one of both numbers
said() { sed '$d; s,^.*/,,' out | sed "$1" | sort | tr '\n' ' '; }
"$iotrace" warm -v --log=logs >out 2>err
is 'warm --log: status' $? 0
is 'warm --log: says what is gone' "$(cat err)" 'iotrace-warm: 1 of the files that the log names is gone'
is 'warm --log: the files that were used, and the program' "$(said 's/:.* read in//')" \
	'map, 0 missing read, 0 missing uses, 0 missing '
is 'warm --log: mincore says so, too' "$(./resident used/read) $(./resident used/map)" '1000000 1000000'
"$iotrace" drop-cache -v --ranges --log=logs >out 2>err
is 'drop-cache --ranges: pages that were used' "$(said '/^uses/d; s/, .*//')" \
	"map: $((gone ? 20480 : 0)) bytes evicted read: $((gone ? 12288 : 0)) bytes evicted "
is 'drop-cache --ranges: mincore says so, too' "$(./resident used/read) $(./resident used/map)" \
	"$((gone ? 991232 : 1000000)) $((gone ? 983040 : 1000000))"
"$iotrace" drop-cache -v --log=logs >out 2>err
is 'drop-cache --log: all of them' "$(said '/^uses/d; s/^\([a-z]*\): \([0-9]*\) .* \([0-9]*\) staying/\1 \2 \3/')" \
	"map $((gone ? 983040 : 0)) $stays read $((gone ? 991232 : 0)) $stays "
"$iotrace" warm -v --ranges --log=logs >out 2>err
is 'warm --ranges: nothing else is read in' "$(./resident used/read) $(./resident used/map)" \
	"$((gone ? 12288 : 1000000)) $((gone ? 20480 : 1000000))"
for command in drop-cache warm; do
	exits "$command: a log that is not there" 2 "$iotrace" $command --log=nowhere
	exits "$command: one that is none" 1 "$iotrace" $command --log=dir/one
	exits "$command: --ranges without a log" 2 "$iotrace" $command --ranges dir/one
done

# what can't be done
for command in drop-cache warm; do
	exits "$command: no file" 2 "$iotrace" "$command"
	exits "$command: one that is not there" 2 "$iotrace" "$command" nothing
	exits "$command: a pipe" 2 timeout 600 "$iotrace" "$command" dir/pipe
	"$iotrace" "$command" nothing dir/below/two >out 2>err
	is "$command: others are treated all the same" "$?:$(sed 's/:.*//' out)" '2:1 file'
done
done_testing
