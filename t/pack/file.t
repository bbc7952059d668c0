#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What iotrace-pack does to files: one of both forms is always there and whole,
# whatever happens meanwhile.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"
has_zstd || skip_all 'iotrace-pack was built without zstd'

build patterns -Wall
run patterns write 20000
mv "$logs"/*.iotrace "$T/model"
chmod 640 "$T/model"
touch -d '2001-02-03 04:05:06.789' "$T/model"
D=$T/d

# fresh [NAME...]: the directory with these copies of the log, or just x.iotrace
fresh()
{
	rm -rf "$D"
	mkdir "$D"
	for file in "${@:-x.iotrace}"; do
		cp -p "$T/model" "$D/$file"
	done
}
files()
{
	(cd "$D" && find . ! -name . | sed 's|^\./||' | sort | tr '\n' ' ')
}
# pack STATUS [OPTION...]: in the directory; leaves $T/err and $T/out
pack()
{
	want=$1
	shift
	(cd "$D" && exec "$IOTRACE_PACK" "$@" >"$T/out" 2>"$T/err" </dev/null)
	is "iotrace-pack $*: status" $? "$want"
}
# says TEXT: one line on standard error
says()
{
	is 'and says why' "$(cat "$T/err")" "iotrace-pack: $1"
}
traits()
{
	stat -c '%a %U %G %y' "$1"
}

# --- there and back
fresh
pack 0 x.iotrace
is 'the packed log stands for the log' "$(files)" 'x.packed.iotrace '
is 'with its mode and times' "$(traits "$D/x.packed.iotrace")" "$(traits "$T/model")"
is 'nothing is said' "$(cat "$T/err" "$T/out")" ''
pack 0 -d x.packed.iotrace
is 'the log stands for the packed log' "$(files)" 'x.iotrace '
is 'with mode and times again' "$(traits "$D/x.iotrace")" "$(traits "$T/model")"
ok 'and its bytes' cmp "$D/x.iotrace" "$T/model"
for mode in 600 640 644 400; do
	for mask in 000 022 077; do
		fresh
		chmod $mode "$D/x.iotrace"
		umask $mask
		pack 0 -k x.iotrace
		is "umask $mask: the packed log of a log of mode $mode" "$(stat -c %a "$D/x.packed.iotrace")" $mode
		rm -f "$D/x.iotrace"
		pack 0 -d x.packed.iotrace
		umask 022
		is "umask $mask: and the unpacked one" "$(stat -c %a "$D/x.iotrace")" $mode
	done
done
fresh
pack 0 -k x.iotrace
is '-k keeps it' "$(files)" 'x.iotrace x.packed.iotrace '
rm "$D/x.iotrace"
pack 0 --unpack --keep ./x.packed.iotrace
is 'there as well' "$(files)" 'x.iotrace x.packed.iotrace '
fresh
pack 0 -o y x.iotrace
is '-o names the file, and the log stays' "$(files)" 'x.iotrace y '
pack 0 -d -o z y
ok 'back by -o' cmp "$D/z" "$T/model"
pack 0 -c x.iotrace
ok '-c writes the same' cmp "$T/out" "$D/y"
"$IOTRACE_PACK" -dc "$D/y" | cat >"$D/z"
ok '-dc through a pipe' cmp "$D/z" "$T/model"
for level in 1 19; do
	fresh
	pack 0 --level=$level x.iotrace
	pack 0 -d x.packed.iotrace
	ok "level $level: the same bytes" cmp "$D/x.iotrace" "$T/model"
done

# --- directories
fresh a.iotrace b.iotrace other.txt
pack 0 .
is 'a directory: all of its logs' "$(files)" 'a.packed.iotrace b.packed.iotrace other.txt '
pack 0 .
is 'once more changes nothing' "$(files)$(cat "$T/err")" 'a.packed.iotrace b.packed.iotrace other.txt '
pack 0 -l .
is '-l: a line each, and a head' "$(wc -l <"$T/out" | tr -d ' ')" 3
pack 0 -d .
is 'and back' "$(files)" 'a.iotrace b.iotrace other.txt '
pack 0 -l .
is '-l: logs that are not packed are not listed' "$(cat "$T/out" "$T/err")" ''

# --- both forms: calls count once
fresh
pack 0 -k x.iotrace
calls=$("$IOTRACE_CAT" "$D/x.iotrace" | wc -l)
for args in "$D" "$D/x.packed.iotrace $D/x.iotrace" "$D/x.iotrace $D/x.packed.iotrace"; do
	# shellcheck disable=SC2086 # a list
	"$IOTRACE_CAT" $args >"$T/calls" 2>"$T/err"
	is 'both forms are read: status' $? 0
	is 'each call is there once' "$(wc -l <"$T/calls")" "$calls"
	like "which is said" "$T/err" "iotrace: is left out: .*iotrace is the same log"
done

# --- what it does not do
fresh
cp "$T/model" "$D/x.packed.iotrace"
pack 2 x.iotrace
says 'x.packed.iotrace: is there already; remove it, or give another name with -o'
ok 'what was there is untouched' cmp "$D/x.packed.iotrace" "$T/model"
fresh
ln -s nowhere "$D/x.packed.iotrace"
pack 2 x.iotrace
is 'nor is a link followed' "$(files)" 'x.iotrace x.packed.iotrace '
fresh
pack 2 -o x.iotrace x.iotrace
ok 'nor is a log written over itself' cmp "$D/x.iotrace" "$T/model"
fresh log
pack 2 log
says 'log: has no name that ends in .iotrace; use -o FILE'
fresh
pack 1 -d x.iotrace
says 'x.iotrace: is not packed'
pack 1 -l x.iotrace
pack 0 x.iotrace
pack 1 x.packed.iotrace
says 'x.packed.iotrace: is packed already'
echo text >"$D/t.iotrace"
pack 1 t.iotrace
says 't.iotrace: is no iotrace log'
: >"$D/e.iotrace"
pack 1 e.iotrace
pack 2 none.iotrace
says "none.iotrace: can't be opened: No such file or directory"
mkfifo "$D/f.iotrace"
pack 2 f.iotrace
says 'f.iotrace: is no log: not a regular file'
mkdir "$D/empty"
pack 2 empty
says 'empty: is a directory without logs (*.iotrace); -r looks below it, too'
pack 2
pack 2 --level=20 x.packed.iotrace
pack 2 -dl x.packed.iotrace
pack 2 -c .
is 'no trace of all that' "$(files)" 'e.iotrace empty f.iotrace t.iotrace x.packed.iotrace '

# --- a process that writes it; fd 9 keeps the program waiting
cat >"$T/wait.c" <<'EOT'
#include <unistd.h>

int main(void)
{
	char c;

	return write(1, "ready\n", 6) == 6 && read(9, &c, 1) == 0 ? 0 : 1;
}
EOT
ok 'a program that waits' "$IOCC" -static "$T/wait.c" -o "$T/wait"
rm -rf "$D"
mkdir "$D"
mkfifo "$T/gate"
(cd "$D" && IOTRACE_DIR=$D exec "$T/wait" >"$T/ready" 9<"$T/gate") &
exec 8>"$T/gate"
until "$IOTRACE_CAT" -e read "$D" 2>/dev/null | grep -q 'read(9.*unfinished'; do sleep 0.05; done
pack 1 .
like 'it is named' "$T/err" "seems to be written by process $! still; wait for it, or use --force"
pack 0 --force .
is '--force keeps it' "$(find "$D" -name '*.iotrace' ! -name '*.packed.iotrace' | wc -l | tr -d ' ')" 1
ok 'what it has recorded so far' sh -c "'$IOTRACE_CAT' '$D'/*.packed.iotrace | grep -q 'read(9.*unfinished'"
rm -f "$D"/*.packed.iotrace
exec 8>&-
wait $!
pack 0 .
is 'when it is gone, so is the log' "$(find "$D" -name '*.iotrace' ! -name '*.packed.iotrace')" ''

# --- several logs, for which all processes are looked at once.  One is mapped by a child
# whose process has ended, and that the recorder does not know of: only its maps tell of it.
cat >"$T/quiet.c" <<'EOT'
#include <sys/syscall.h>
#include <unistd.h>

static long untraced(long nr, long a, const void *b, long c)
{
	__asm__ volatile("syscall" : "+a"(nr) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return nr;
}

int main(void)
{
	char c;

	if (write(1, "ready\n", 6) != 6)
		return 1;
	if (untraced(SYS_fork, 0, NULL, 0))
		return 0;
	untraced(SYS_read, 9, &c, 1);
	untraced(SYS_exit, 0, NULL, 0);
}
EOT
ok 'a program whose child waits' "$IOCC" -static "$T/quiet.c" -o "$T/quiet"
rm -rf "$D"
mkdir "$D"
for _ in 1 2; do
	(cd "$D" && IOTRACE_DIR=$D "$T/wait" >"$T/ready" 9</dev/null)
done
(cd "$D" && exec env IOTRACE_DIR="$D" "$T/quiet" >"$T/ready" 9<"$T/gate") &
exec 8>"$T/gate"
wait $!
pack 1 .
is 'the logs that nobody writes are packed' "$(find "$D" -name '*.packed.iotrace' | wc -l | tr -d ' ')" 2
is 'the one that a child has mapped is left alone' \
	"$(find "$D" -name '*.iotrace' ! -name '*.packed.iotrace' | wc -l | tr -d ' ')" 1
like 'which is said' "$T/err" 'seems to be written by process [0-9]* still; wait for it, or use --force'
exec 8>&-

# --- no space, no right
if [ -c /dev/full ]; then
	fresh
	"$IOTRACE_PACK" -c "$D/x.iotrace" >/dev/full 2>"$T/err"
	is 'standard output is full: status' $? 2
	says "can't write to standard output: No space left on device"
else
	skip 'standard output is full: status' 'there is no /dev/full'
	skip 'and says why' 'there is no /dev/full'
fi
mkdir "$T/small"
if mount -t tmpfs -o size=2m tmpfs "$T/small" 2>"$T/mount"; then
	D=$T/small
	cp "$T/model" "$D/x.iotrace"
	cat /dev/zero >"$D/ballast" 2>/dev/null
	truncate -s -8192 "$D/ballast"
	pack 2 x.iotrace
	says "x.packed.iotrace: can't be written: No space left on device"
	is 'the disk is full: the log is as it was' "$(files)" 'ballast x.iotrace '
	ok 'to the last byte' cmp "$D/x.iotrace" "$T/model"
	umount "$T/small"
else
	for what in status message files bytes; do
		skip "the disk is full: $what" "no tmpfs can be mounted: $(head -n 1 "$T/mount")"
	done
fi
D=$T/d
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$T"
	fresh
	chmod 755 "$D"
	chmod 644 "$D/x.iotrace"
	(cd "$D" && setpriv --reuid 65534 --regid 65534 --clear-groups "$IOTRACE_PACK" x.iotrace 2>"$T/err")
	is 'a directory that it may not write to: status' $? 2
	says "x.packed.iotrace: can't be created: Permission denied"
	chmod 733 "$D"
	(cd "$D" && setpriv --reuid 65534 --regid 65534 --clear-groups "$IOTRACE_PACK" x.iotrace 2>"$T/err")
	is 'a directory that it may write to but not read' "$(files)" 'x.packed.iotrace '
	cp "$T/model" "$D/x.iotrace"
	chmod 600 "$D/x.iotrace"
	(cd "$D" && setpriv --reuid 65534 --regid 65534 --clear-groups "$IOTRACE_PACK" x.iotrace 2>"$T/err")
	is 'a log that it may not read: status' $? 2
	says "x.iotrace: can't be opened: Permission denied"
else
	for what in directory message directory log message; do
		skip "what it may not do: $what" 'needs root and setpriv'
	done
fi

# --- killed at any moment; strace lets it die at a system call, and lets a file
# system have no files without names.
unnamed='inject=openat:error=EOPNOTSUPP:when=1'
if strace -o /dev/null true 2>"$T/err"; then
	for call in pwrite64 write fsync linkat unlink; do
		fresh
		( (cd "$D" && strace -f -o /dev/null -e trace=$call -e inject=$call:signal=KILL \
			"$IOTRACE_PACK" x.iotrace >"$T/out" 2>&1); exit $?) 2>/dev/null
		case $call in
		unlink) left='x.iotrace x.packed.iotrace ' ;;
		pwrite64) left='x.packed.iotrace ' ;;	# that is for unpacking
		*) left='x.iotrace ' ;;
		esac
		is "killed at $call: what is left" "$(files)" "$left"
	done
	fresh
	(cd "$D" && strace -o "$T/trace" -P . -e trace=openat,renameat2,linkat -e $unnamed \
		"$IOTRACE_PACK" x.iotrace >"$T/out" 2>&1)
	is 'no file without a name: it is packed all the same' "$(files)" 'x.packed.iotrace '
	like 'and there was none' "$T/trace" 'O_TMPFILE.*EOPNOTSUPP.*INJECTED'
	pack 0 -d x.packed.iotrace
	ok 'well' cmp "$D/x.iotrace" "$T/model"
	fresh
	# -D: the process id is that of the shell, and so is the one in the name
	# shellcheck disable=SC2016 # for the inner shell
	( (cd "$D" && sh -c 'exec strace -D -o "$1/trace" -e trace=openat,write -e inject=write:signal=TERM:when=2 \
		-P . -P "$PWD/x.packed.iotrace.$$.tmp" -e $2 "$3" x.iotrace' \
		sh "$T" $unnamed "$IOTRACE_PACK" >"$T/out" 2>&1); exit $?) 2>/dev/null
	is 'SIGTERM while there is a temporary file: status' $? 143
	is 'it is gone' "$(files)" 'x.iotrace '
else
	skip 'killed' 'strace does not run here'
fi
done_testing
