#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# syscall(2) is shown, filtered and summed by the name of the system call that its number
# means; what io_uring_enter has the kernel do is missed by name.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

cat >"$T/raw.c" <<'EOT'
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

/* by an instruction, which nobody sees: the ring is not followed */
static int setup(unsigned entries, struct io_uring_params *params)
{
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "0"(SYS_io_uring_setup), "D"(entries), "S"(params) : "rcx", "r11", "memory");
	return ret;
}

int main(int argc, char **argv)
{
	struct open_how how = { .flags = O_RDONLY };
	struct io_uring_params params = { 0 };
	int ring;

	if (argc > 1) {
		ring = setup(1, &params);
		return ring < 0 ? 77 : syscall(SYS_io_uring_enter, ring, 0, 0, 0, NULL, 0) ||
				       syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0) != -1;
	}
	return syscall(SYS_ustat, 0, NULL) != -1 || syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how)) < 0 ||
	       syscall(SYS_utimes, "", NULL) != -1 || syscall(SYS_openat2, -1, NULL, NULL, 0) != -1 ||
	       syscall(100000) != -1;
}
EOT
ok 'compiles' "$IOCC" -static -o "$T/raw" "$T/raw.c" || done_testing
mkdir "$T/logs"
IOTRACE_DIR=$T/logs "$T/raw"
is 'runs' $? 0

# names [OPTION...]: what calls of syscall() are called
names()
{
	"$IOTRACE_CAT" "$@" "$T/logs" 2>/dev/null | sed -n 's/^syscall(\([a-z0-9_]*\).*/\1/p' | paste -s -d ' '
}
is 'text has the names' "$(names)" 'ustat openat2 utimes openat2 100000'
is '-e takes one' "$(names -e openat2)" 'openat2 openat2'
is '-e takes several' "$(names -e ustat,open,utimes)" 'ustat utimes'
is '-e leaves one out' "$(names -e '!openat2')" 'ustat utimes 100000'
is '-e takes all' "$(names -e syscall)" 'ustat openat2 utimes openat2 100000'
is 'JSON has the names' "$("$IOTRACE_CAT" --format=json -e syscall "$T/logs" 2>/dev/null | sed -n 's/.*"call":"syscall","syscall":"\([a-z0-9_]*\)".*/\1/p' | paste -s -d ' ')" \
	'ustat openat2 utimes openat2'
"$IOTRACE_STAT" --format=json "$T/logs" >"$T/sums"
is 'iotrace-stat has a row for each' \
	"$(perl -MJSON::PP -0777 -ne 'print join " ", sort map { "$_->{call}:$_->{calls}" } grep { $_->{call} =~ /^(ustat|openat2|utimes|syscall)$/ } @{ decode_json($_)->{calls} }' "$T/sums")" \
	'openat2:2 syscall:1 ustat:1 utimes:1'
"$IOTRACE_STAT" --format=json -e ustat "$T/logs" >"$T/one"
is 'and no other row' "$(sed -n 's/^{"call":"\([a-z_]*\)".*/\1/p' "$T/one" | paste -s -d ' ')" ustat
# what the kernel is asked to do by itself
mkdir "$T/ring"
IOTRACE_DIR=$T/ring "$T/raw" ring
case $? in
77)
	diag 'the kernel has no io_uring: nothing is missed' ;;
0)
	"$IOTRACE_STAT" --rule=minor=off --format=json "$T/ring" >"$T/sums"
	is 'and says what is missed' \
		"$(perl -MJSON::PP -0777 -ne 'print join " ", map { "$_->{id} $_->{call} $_->{count}" } grep { $_->{id} eq "unseen" } @{ decode_json($_)->{findings} }' "$T/sums")" \
		'unseen io_uring_enter 1'
	"$IOTRACE_STAT" --rule=minor=off "$T/ring" >"$T/text"
	like 'in words, too' "$T/text" 'io_uring_enter.*what the kernel reads and writes'
	# whatever is printed, and in follow mode
	for options in '--format=text' '--format=json -e exit' '--format=csv' '--format=raw' '-f'; do
		# shellcheck disable=SC2086 # options
		"$IOTRACE_CAT" $options "$T/ring" >"$T/out" 2>"$T/err"
		is "iotrace-cat $options: all is well" $? 0
		is "iotrace-cat $options: says what is missed" "$(sed 's,.*iotrace: ,,' "$T/err")" \
			'io_uring_enter: 1 call; what the kernel reads and writes for it is not recorded'
	done
	;;
*)
	fail 'runs with a ring' ;;
esac
"$IOTRACE_CAT" -e openat3 "$T/logs" >"$T/out" 2>"$T/err"
is 'what is no call is told' "$?" 2
# Numbers are those of the log's processor, not of the reader's: of one that is not known they
# have no names.
mkdir "$T/other"
for log in "$T"/logs/*; do
	LC_ALL=C sed 's/^arch x86_64$/arch mips64/' "$log" >"$T/other/${log##*/}"
done
ok 'a log is from another processor' grep -q -a -x 'arch mips64' "$T"/other/*
numbers=$("$IOTRACE_CAT" "$T/other" 2>/dev/null | sed -n 's/^syscall(\([a-z0-9_]*\).*/\1/p' | paste -s -d ' ')
is 'its system calls have numbers' "$numbers" '136 437 235 437 100000'
is 'nor has JSON names' "$("$IOTRACE_CAT" --format=json "$T/other" 2>/dev/null | grep -cE '"syscall":"(ustat|openat2|utimes)')" 0

done_testing
