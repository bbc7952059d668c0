#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Python's frames in stacks: the same as Python itself has them, right before each call;
# of programs that are no interpreter, or none that is known, there are none.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/python.sh
. "${0%/*}/../lib/python.sh"
cd "$T" || exit 99
"$python3" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || skip_all 'Python is not 3.11 to 3.13'
$CC -O2 -shared -fPIC -o between.so "$src/between.c" -lpthread || exit 99

# json: the logs' calls, of python's processes
json()
{
	for log in logs/p*.iotrace; do
		"$IOTRACE_CAT" --stacks --format=json "$log"
	done
}

# same DESCRIPTION ATLEAST DEPTH COMMAND...: so many stacks are as noted, all of them
same()
{
	what=$1 least=$2 depth=$3
	shift 3
	rm -rf logs noted && mkdir logs noted
	IOTRACE_DIR=$T/logs IOTRACE_STACK=$depth "$@" >out 2>err
	is "$what: it ends well" "$? $(cat out err)" '0 '
	json 2>&1 >calls | grep -v ': its addresses stay numbers' >notes
	"$python3" "$src/compare.py" "$depth" noted/noted noted/noted.child <calls >said 2>&1
	if [ "$(wc -l <said)" = 1 ] && [ "$(cat said)" -ge "$least" ] 2>/dev/null; then
		pass "$what: stacks are Python's"
	else
		fail "$what: stacks are Python's"
		diag_file said
	fi
	none "$what: nothing else is said" notes
}

same 'iotrace run' 800 64 "$run" -o logs "$python3" -I "$src/calls.py" noted ./between.so
# C between two functions of Python's
ok 'C stands between Python and Python' \
	test "$(grep -c '"func":"from_c.<locals>.<lambda>".*"func":"between".*"func":"from_c"' calls)" -ge 5
if packs 'a packed log'; then
	"$IOTRACE_PACK" logs/p*.iotrace >out 2>&1
	json 2>/dev/null >packed
	ok 'a packed log has the same' cmp calls packed
fi
same 'iotrace run --syscalls' 800 64 "$run" --syscalls -o logs "$python3" -I "$src/calls.py" noted ./between.so
same 'with 8 frames' 800 8 "$run" -o logs "$python3" -I "$src/calls.py" noted ./between.so
same 'by tables' 800 64 "$run" --stack-by=tables -o logs "$python3" -I "$src/calls.py" noted ./between.so

# --- in a program of one's own
cat >own.c <<'C'
int Py_BytesMain(int argc, char **argv);

int main(int argc, char **argv)
{
	return Py_BytesMain(argc, argv);
}
C
version=$("$python3" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
libs=$("$python3-config" --embed --ldflags 2>/dev/null | tr ' ' '\n' | grep '^-[lL]' | tr '\n' ' ')
libdir=$("$python3" -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))')
if [ -n "$libs" ]; then
	# shellcheck disable=SC2086 # several
	ok 'linked with libpython.so' "$IOCC" -O2 -o pown own.c $libs -Wl,-rpath,"$libdir"
	same 'libpython.so' 800 64 ./pown -I "$src/calls.py" noted ./between.so
	# what libc.a can't do without libc.so is warned of
	# shellcheck disable=SC2086
	"$IOCC" -O2 -static -o pstatic own.c $libs -lexpat -lz -lpthread -ldl -lutil -lm 2>link.err
	if [ ! -f "$libdir/libpython$version.a" ] && [ "$python3" != /usr/bin/python3 ]; then
		skip 'libpython.a' "not in $libdir"
	elif [ -x pstatic ]; then
		same 'libpython.a' 750 64 ./pstatic -I "$src/calls.py" noted
	else
		fail 'linked with libpython.a'
		diag_file link.err
	fi
else
	skip 'libpython' "no $python3-config (Debian: libpython3-dev)"
fi

# --- by frame pointers alone there are none; nobody minds
rm -rf logs noted && mkdir noted
"$run" --stack-by=fp -o logs "$python3" -I "$src/calls.py" noted ./between.so >out 2>&1
is 'by frame pointers: it ends well' "$? $(cat out)" '0 '
json >calls 2>/dev/null
ok 'it has calls' test -s calls
ok 'by frame pointers: there are none' test "$(grep -c '"lang"' calls)" = 0

# --- sites
cat >slow.py <<'P'
import os, shutil

def write(fd):
    for _ in range(1000):
        os.write(fd, b"x")

def copy():
    shutil.copyfile("data", "copy")

with open("data", "wb", buffering=0) as f:
    write(f.fileno())
copy()
P
rm -rf logs
"$run" -o logs "$python3" -I slow.py
"$IOTRACE_STAT" --by=site --format=json logs >sites 2>/dev/null
ok 'a site is a line of the script' grep -q "write ($T/slow.py:5)" sites
ok 'it is for libraries of Python, too' grep -q "copy ($T/slow.py:8)" sites
ok 'and not theirs' test "$(grep -c 'shutil.py' sites)" = 0
"$IOTRACE_STAT" --rule=minor=off --format=json logs >found 2>/dev/null
ok 'what is to be done is said in words of Python' grep -q '"id":"single-bytes".*no buffering=0, no os.read(fd, 1)' found

# --- a log that is damaged where its Python is
cat >damage.pl <<'P'
# Each definition of code and each stack of it in turn, with a word that is anything.
use strict;
my ($from, $to, $seed) = @ARGV;
srand $seed;
open my $in, '<:raw', $from or die;
local $/;
my $log = <$in>;
my @at;
# a word with kind 11 where a definition has it, or an address of such code
for (my $i = 0; $i + 8 <= length $log; $i += 8) {
	my $w = unpack 'Q<', substr $log, $i, 8;
	push @at, $i if ($w & 0xffff0fff) == (11 << 16 | 2 << 10) || $w >> 56 == 0x50;
}
die "no code there\n" if @at < 10;
for (1 .. 4) {
	my $at = $at[rand @at] + 8 * int rand 7;
	substr($log, $at, 8) = pack 'Q<', (0, ~0, 1 << 63 | 1 << 40, 0x50 << 56 | int rand 9, rand 2**48)[rand 5]
		if $at + 8 <= length $log;
}
open my $out, '>:raw', $to or die;
print $out $log;
P
mkdir damaged
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	perl damage.pl logs/python*.iotrace damaged/log.iotrace $seed || echo "$seed: not damaged"
	for tool in "$IOTRACE_CAT -k" "$IOTRACE_CAT -k --format=json" "$IOTRACE_STAT --by=site"; do
		$tool damaged/log.iotrace >out 2>err
		[ $? -lt 2 ] || echo "$seed: $tool"
	done
done >said 2>&1
none 'damaged: readers say what is wrong' said

# --- what writes files from C
if "$python3" -c 'import numpy, h5py' 2>/dev/null; then
	rm -rf logs data && mkdir data
	"$run" --stack=40 -o logs "$python3" "$src/arrays.py" data >out 2>&1
	is 'numpy and h5py: it ends well' "$? $(cat out)" '0 '
	json >calls 2>/dev/null
	"$python3" "$src/named.py" <calls >said
	is 'numpy and h5py: the calls on each file are of its line' "$(cat said)" '6 files'
	diag_file said
else
	skip 'numpy and h5py' 'not there (Debian: python3-h5py)'
fi

# --- interpreters that are none
cat >liar.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION 0x030b02f0
#endif
/* as if it was Python's: of a version that is not known, or with garbage in it */
unsigned long _PyRuntime[60000];
const unsigned long Py_Version = VERSION;
unsigned long PyCode_Type[51], PyUnicode_Type[51], PyBytes_Type[51];

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY);

	(void)argc;
	for (unsigned i = 0; i < 60000; i++)
		_PyRuntime[i] = i % 3 ? (unsigned long)&_PyRuntime[i * 7919 % 60000] : (unsigned long)argv + i;
	for (int i = 0; i < 60000; i += 100) {
		if (write(fd, "x", 1) != 1)
			return 1;
		_PyRuntime[i % 100] = (unsigned long)&_PyRuntime[i];
		_PyRuntime[5] = (unsigned long)&_PyRuntime[i + 7];
		/* finalizing: nobody is */
		_PyRuntime[3] = _PyRuntime[76] = 0;
	}
	return 0;
}
C
for version in 0x030a00f0 0x030b02f0 0x030c01f0 0x030d00f0 0x030e00f0 0; do
	# shellcheck disable=SC2086
	$CC -O1 -rdynamic -DVERSION=$version -o pliar liar.c || exit 99
	rm -rf logs
	"$run" -o logs ./pliar >out 2>&1
	is "not Python, version $version: it ends well" "$? $(cat out)" '0 '
	json >calls 2>/dev/null
	is 'its stacks are those of C' "$(grep -c '"call":"write".*"func":"main"' calls) $(grep -c '"lang"' calls)" '600 0'
done
done_testing
