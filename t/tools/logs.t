#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which logs a command line names: -r, -, names of one log, and --exclude.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

# A log of N writes, and an open that failed
make_log()
{
	perl -I"$top_srcdir/t/lib" -MMkLog -e '
		my ($file, $n) = @ARGV;
		my $l = MkLog->new(pid => 100 + $n);
		$l->block(records => [ MkLog::path(1, "/data/in"), MkLog::handle(1, 3, 1),
			(map { $l->compact("write", handle => 1, start => 1000 * $_, size => 1, offset => $_) } 1 .. $n),
			$l->general("open", start => 1_000_000, ret => -1, errno => 2, args => [ \"/etc/no", 0, 0 ]) ]);
		$l->save($file)' "$1" "$2"
}
mkdir -p top/a/b top/empty empty
make_log top/one.iotrace 1
make_log top/a/two.iotrace 2
make_log top/a/b/four.iotrace 4
mkdir top/a/odd.iotrace
make_log top/a/odd.iotrace/eight.iotrace 8
ln -s .. top/a/back

# writes STATUS N WHAT ARGUMENT...: both tools count as many; what they say is in err
writes()
{
	writes_status=$1
	writes_n=$2
	writes_what=$3
	shift 3
	"$IOTRACE_CAT" "$@" >out 2>err <"${input:-/dev/null}"
	is "$writes_what: iotrace-cat: status" $? "$writes_status"
	is "$writes_what: iotrace-cat" "$(grep -c 'write(' out)" "$writes_n"
	"$IOTRACE_STAT" --format=csv --by=call "$@" >out 2>stat.err <"${input:-/dev/null}"
	is "$writes_what: iotrace-stat: status" $? "$writes_status"
	is "$writes_what: iotrace-stat" "$(sed -n 's/^write,posix,\([0-9]*\),.*/\1/p' out)" "$(echo "$writes_n" | sed 's/^0$//')"
}

# --- directories
writes 0 1 'a directory' top
writes 0 15 'with -r all below it' -r top
is 'which says nothing' "$(cat err stat.err)" ''
writes 0 15 'also spelled out' --recursive top
writes 0 14 'and with an empty one in it' -r top/a top/a/b
writes 2 1 'an empty directory' top empty
like 'is told, and how to look deeper' err '^iotrace-cat: empty: is a directory without logs \(\*\.iotrace\); -r looks below it, too$'
writes 2 1 'and with -r' -r top/one.iotrace empty
like 'is told' err '^iotrace-cat: empty: has no logs \(\*\.iotrace\) in it or below$'
is 'iotrace-cat -f -r' "$("$IOTRACE_CAT" -f -r top 2>&1 | grep -c 'write(')" 15

# --- one log with several names
ln top/one.iotrace hard.iotrace
ln -s top/one.iotrace soft.iotrace
writes 0 1 'twice the same name' top/one.iotrace top/one.iotrace
like 'is told' err '^iotrace-cat: top/one.iotrace: is left out: top/one.iotrace is the same log$'
writes 0 1 'a name and links' top/one.iotrace hard.iotrace soft.iotrace ./top/one.iotrace
is 'each is told' "$(grep -c 'is left out: top/one.iotrace is the same log$' err)" 3
writes 0 1 'a directory and a file in it' top top/one.iotrace
mkdir copies
cp top/a/b/four.iotrace copies/four.iotrace
writes 0 4 'a copy' top/a/b/four.iotrace copies/four.iotrace
is 'is told, in one line' "$(cat err)" \
	'iotrace-cat: copies/four.iotrace: is left out: top/a/b/four.iotrace is the same log'
writes 0 15 'directories in one another' -r top top/a top/a/b

# --- standard input
input=top/a/two.iotrace
writes 0 2 'standard input' -
writes 0 3 'and a file' - top/one.iotrace
input=
is 'a pipe' "$(dd if=top/a/b/four.iotrace 2>/dev/null | "$IOTRACE_CAT" - | grep -c 'write(')" 4
is 'with the log behind' "$(dd if=top/a/b/four.iotrace 2>/dev/null | TMPDIR=$T/nowhere "$IOTRACE_CAT" - 2>&1 | sed 's/XXX*/X/; s/iotrace-[A-Za-z0-9]*:/iotrace-X:/2')" \
	"iotrace-cat: $T/nowhere/iotrace-X: can't be created to hold standard input: No such file or directory; set TMPDIR to another directory"
echo text | "$IOTRACE_STAT" - >out 2>err
is 'what is no log' $? 1
like 'is told by name' err '^iotrace-stat: \(standard input\): '
: >nothing
"$IOTRACE_CAT" nothing >out 2>err
nothing=$?
"$IOTRACE_CAT" - </dev/null >out 2>err
is 'nothing at all: as an empty file' $? $nothing
like 'is told' err '^iotrace-cat: \(standard input\): '
"$IOTRACE_CAT" -f - <top/one.iotrace >out 2>err
is '-f of standard input' $? 2
like 'is refused' err "standard input can't be followed"
find . -name 'iotrace-??????' >left
none 'nothing is left in TMPDIR' left

# --- packing
if packs 'iotrace-pack -'; then
	"$IOTRACE_PACK" -c - <top/a/two.iotrace >two.packed.iotrace 2>err
	is 'iotrace-pack -c -: status' $? 0
	is 'iotrace-pack -c -: says' "$(cat err)" ''
	is 'iotrace-pack -c -: the calls' "$("$IOTRACE_CAT" two.packed.iotrace | grep -c 'write(')" 2
	"$IOTRACE_PACK" -dc - <two.packed.iotrace >two 2>err
	ok 'iotrace-pack -dc -: the same bytes' cmp two top/a/two.iotrace
	"$IOTRACE_PACK" - <top/a/two.iotrace >out 2>err
	is 'iotrace-pack -: status' $? 2
	like 'iotrace-pack -: wants a name' err 'use -o FILE'
	"$IOTRACE_PACK" -k -r top >out 2>err
	is 'iotrace-pack -r' "$?$(cat err) $(find top -name '*.packed.iotrace' | wc -l)" '0 4'
fi

# --- --exclude
rm -r top
mkdir top
make_log top/one.iotrace 3
writes 0 3 '--exclude of others' --exclude=^/etc top
is 'leaves them out' "$("$IOTRACE_CAT" --exclude=^/etc top | grep -c open)" 0
writes 0 0 '--exclude' --exclude=^/data top
is 'leaves the others' "$("$IOTRACE_CAT" --exclude=^/data top | grep -c open)" 1
writes 0 3 'with -P' -P in --exclude=^/etc top
writes 1 0 'against -P' -P in --exclude=/data top
like 'says so' err 'no call passes --path, --exclude'
"$IOTRACE_CAT" --exclude='(' top >out 2>err
is 'no expression' "$?" 2
like 'says why' err "--exclude: '\\(' is no extended regular expression"
done_testing
