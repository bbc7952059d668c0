#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Colours of iotrace-cat and iotrace-stat: on terminals that have them, unless the user does
# not want them; and the text is the same.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new;
	$l->block(records => [ MkLog::path(1, "/data/\e[31mred"), MkLog::handle(1, 3, 1),
		$l->compact("write", handle => 1, start => 1000, size => 5, offset => 0),
		$l->general("open", start => 1_000_000, ret => -1, errno => 2, args => [ \"/etc/no", 0, 0 ]) ]);
	$l->save($ARGV[0])' "$T/x.iotrace"
unset NO_COLOR
esc=$(printf '\033')

# shows COMMAND: what a terminal gets
shows()
{
	script -qec "$1" /dev/null 2>&1 </dev/null | tr -d '\r' >"$T/screen"
}

# coloured DESCRIPTION COMMAND
coloured()
{
	shows "$2"
	like "$1: colours" "$T/screen" "$esc\[1?m?"
	sed "s/$esc\[[0-9]*m//g" "$T/screen" >"$T/stripped"
	ok "$1: the same text" cmp "$T/stripped" "$T/plain"
}

# plain DESCRIPTION COMMAND
plain()
{
	shows "$2"
	ok "$1: no colours" cmp "$T/screen" "$T/plain"
}

for tool in "$IOTRACE_CAT" "$IOTRACE_STAT"; do
	name=${tool##*/}
	COLUMNS=1000
	export COLUMNS
	"$tool" "$T/x.iotrace" >"$T/plain"
	unlike "$name: no terminal: no colours" "$T/plain" "$esc"
	coloured "$name" "TERM=xterm '$tool' '$T/x.iotrace'"
	coloured "$name: NO_COLOR is empty" "TERM=xterm NO_COLOR= '$tool' '$T/x.iotrace'"
	coloured "$name --color=always, NO_COLOR" "TERM=xterm NO_COLOR=1 '$tool' --color=always '$T/x.iotrace'"
	plain "$name: NO_COLOR" "TERM=xterm NO_COLOR=1 '$tool' '$T/x.iotrace'"
	plain "$name: a terminal without" "TERM=dumb '$tool' '$T/x.iotrace'"
	plain "$name: no TERM" "env -u TERM '$tool' '$T/x.iotrace'"
	plain "$name --color=never" "TERM=xterm '$tool' --color=never '$T/x.iotrace'"
	"$tool" --color=always "$T/x.iotrace" >"$T/screen"
	like "$name --color=always: to a file as well" "$T/screen" "$esc\[1m"
	NO_COLOR=1 TERM=xterm "$tool" --color=auto --format=json "$T/x.iotrace" >"$T/plain.json"
	"$tool" --color=always --format=json "$T/x.iotrace" >"$T/json"
	ok "$name: JSON has none" cmp "$T/json" "$T/plain.json"
	exits "$name --color=red" 2 "$tool" --color=red "$T/x.iotrace"
done
"$IOTRACE_CAT" --color=always -yy "$T/x.iotrace" >"$T/screen"
like 'an error is red' "$T/screen" "$esc\[31mENOENT \(No such file or directory\)$esc\[m"
like 'a name that has colours has none' "$T/screen" '/data/\\033\[31mred'
done_testing
