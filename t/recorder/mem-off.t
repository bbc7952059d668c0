#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory is not I/O: calls about memory of no file are left out by default, those about
# files are recorded; IOTRACE_MEMORY=1 has all.
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >maps.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE 65536

static void *work(void *p)
{
	return memset(malloc(1 << 20), 1, 1 << 20) ? p : NULL;
}

int main(void)
{
	int fd = open("file", O_RDWR | O_CREAT, 0600);
	unsigned char there[16];
	char *file, *memory, *whole;
	pthread_t t;

	(void)!ftruncate(fd, 4 * SIZE);
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	file = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	madvise(memory, SIZE, MADV_DONTNEED);
	madvise(file, SIZE, MADV_SEQUENTIAL);
	mincore(memory, SIZE, there);
	mincore(file, SIZE, there);
	msync(file, SIZE, MS_SYNC);
	memory = mremap(memory, SIZE, 2 * SIZE, MREMAP_MAYMOVE);
	file = mremap(file, SIZE, 2 * SIZE, MREMAP_MAYMOVE);
	munmap(memory, 2 * SIZE);
	munmap(file, 2 * SIZE);
	/* a number by itself, and memory that takes the file's place */
	whole = (char *)syscall(SYS_mmap, NULL, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	syscall(SYS_munmap, whole, SIZE);
	file = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	mmap(file, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	munmap(file, SIZE);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 0;
}
EOT
forms='static dynamic dispatched'
[ ! -f "$top_builddir/lib/libiotrace-musl.a" ] || forms="musl $forms"
for form in $forms; do
	tap_about="$form: "
	cc=${IOCC_CC:-}
	case $form in
	static | musl) options=-static ;;
	dynamic) options= ;;
	dispatched) options='-static --iotrace-syscalls' ;;
	esac
	[ "$form" != musl ] || cc=$IOT_MUSL_CC
	# shellcheck disable=SC2086 # options, or none
	ok 'is built' env ${cc:+IOCC_CC="$cc"} "$IOCC" $options -O2 maps.c -o maps -lpthread || continue
	for all in 0 1; do
		mkdir -p "logs-$form-$all"
		if [ "$form" = dispatched ]; then
			IOTRACE_SYSCALLS=1 IOTRACE_MEMORY=$all IOTRACE_DIR=$T/logs-$form-$all ./maps
		else
			IOTRACE_MEMORY=$all IOTRACE_DIR=$T/logs-$form-$all ./maps
		fi
	done
	"$IOTRACE_CAT" -e mem "logs-$form-0" | sed 's/^[0-9/]* *//' >said
	is 'by default, those about the file' "$(sed 's/(.*//' said | tr '\n' ' ')" \
		'mmap madvise mincore msync mremap munmap mmap mmap '
	is 'each mmap has it, or takes its place' "$(grep ^mmap said | grep -v -c -e 'MAP_SHARED, [0-9]' -e MAP_FIXED)" 0
	"$IOTRACE_CAT" -e mem "logs-$form-1" >said
	for call in mmap munmap mremap madvise mincore; do
		ok "$call: all of them if asked for" test "$(grep -c "$call(" said)" -ge 2
	done
done
tap_about=
mkdir logs
IOTRACE_MEMORY=2 IOTRACE_DIR=$T/logs ./maps 2>err
ok 'another value is ignored, and said to be bad' grep -q 'IOTRACE_MEMORY=2: not one of on, off, yes, no, true, false, 1, 0; the setting is ignored' err
mkdir default
IOTRACE_DIR=$T/default ./maps
is 'the default is not to' "$("$IOTRACE_CAT" -e mmap default | grep -v MAP_FIXED | grep -c MAP_ANONYMOUS)" 0
done_testing
