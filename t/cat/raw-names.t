#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# syscall(2) is shown, filtered and summed by the name of the system call that its number
# means; what io_submit has the kernel write is missed by name.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

cat >"$T/raw.c" <<'EOT'
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct iocb cb = { .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (unsigned long)"text", .aio_nbytes = 4 };
	struct iocb *list[] = { &cb };
	struct io_event event;
	aio_context_t context = 0;

	cb.aio_fildes = open("/dev/null", O_WRONLY);
	return syscall(SYS_io_setup, 1, &context) || syscall(SYS_io_submit, context, 1, list) != 1 ||
	       syscall(SYS_io_getevents, context, 1, 1, &event, 0) != 1 || syscall(SYS_io_submit, context, 1, 0) != -1 ||
	       syscall(SYS_io_destroy, context) || syscall(100000) != -1;
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
is 'text has the names' "$(names)" 'io_setup io_submit io_getevents io_submit io_destroy 100000'
is '-e takes one' "$(names -e io_submit)" 'io_submit io_submit'
is '-e takes several' "$(names -e io_setup,open,io_destroy)" 'io_setup io_destroy'
is '-e leaves one out' "$(names -e '!io_submit')" 'io_setup io_getevents io_destroy 100000'
is '-e takes all' "$(names -e syscall)" 'io_setup io_submit io_getevents io_submit io_destroy 100000'
is 'JSON has the names' "$("$IOTRACE_CAT" --format=json -e syscall "$T/logs" 2>/dev/null | sed -n 's/.*"call":"syscall","syscall":"\([a-z_]*\)".*/\1/p' | paste -s -d ' ')" \
	'io_setup io_submit io_getevents io_submit io_destroy'
"$IOTRACE_STAT" --format=json "$T/logs" >"$T/sums"
is 'iotrace-stat has a row for each' \
	"$(perl -MJSON::PP -0777 -ne 'print join " ", sort map { "$_->{call}:$_->{calls}" } grep { $_->{call} =~ /^io_|^syscall/ } @{ decode_json($_)->{calls} }' "$T/sums")" \
	'io_destroy:1 io_getevents:1 io_setup:1 io_submit:2 syscall:1'
"$IOTRACE_STAT" --format=json -e io_setup "$T/logs" >"$T/one"
is 'and no other row' "$(sed -n 's/^{"call":"\([a-z_]*\)".*/\1/p' "$T/one" | paste -s -d ' ')" io_setup
is 'and says what is missed' \
	"$(perl -MJSON::PP -0777 -ne 'print join " ", map { "$_->{id} $_->{call} $_->{count}" } grep { $_->{id} eq "unseen" } @{ decode_json($_)->{findings} }' "$T/sums")" \
	'unseen io_submit 1'
"$IOTRACE_STAT" "$T/logs" >"$T/text"
like 'in words, too' "$T/text" 'io_submit.*what the kernel reads and writes'
# whatever is printed, and in follow mode
for options in '--format=text' '--format=json -e open' '--format=csv' '--format=raw' '-f'; do
	# shellcheck disable=SC2086 # options
	"$IOTRACE_CAT" $options "$T/logs" >"$T/out" 2>"$T/err"
	is "iotrace-cat $options: all is well" $? 0
	is "iotrace-cat $options: says what is missed" "$(sed 's,.*iotrace: ,,' "$T/err")" \
		'io_submit: 1 call; what the kernel reads and writes for it is not recorded'
done
"$IOTRACE_CAT" -e io_sumbit "$T/logs" >"$T/out" 2>"$T/err"
is 'what is no call is told' "$?" 2
# Numbers are those of the log's processor, not of the reader's: of one that is not known they
# have no names.
mkdir "$T/other"
for log in "$T"/logs/*; do
	LC_ALL=C sed 's/^arch x86_64$/arch mips64/' "$log" >"$T/other/${log##*/}"
done
ok 'a log is from another processor' grep -q -a -x 'arch mips64' "$T"/other/*
numbers=$("$IOTRACE_CAT" "$T/other" 2>/dev/null | sed -n 's/^syscall(\([a-z0-9_]*\).*/\1/p' | paste -s -d ' ')
is 'its system calls have numbers' "$numbers" '206 209 208 209 207 100000'
is 'nor has JSON names' "$("$IOTRACE_CAT" --format=json "$T/other" 2>/dev/null | grep -c '"syscall":"io_')" 0

done_testing
