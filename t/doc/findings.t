#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What declares itself in a file of its own: the findings of iotrace-stat in analysis/rules, the formats of
# iotrace-cat and iotrace-export in formats/ of their folders.  The man pages and bash's completion have them all, and a row that
# is wrong stops the build with a line that says where, and what is wrong.
. "${0%/*}/../lib/tap.sh"

findings=$top_builddir/doc/findings
built "$findings"

# declared FOLDER: the names of its files, as users write them
declared()
{
	for file in "$top_srcdir/$1"/*.c; do
		file=${file##*/}
		echo "${file%.c}"
	done | tr _ - | sort
}

# tags PAGE BEFORE: of the list behind a line BEFORE, what it explains
tags()
{
	awk -v before="$2" '
		on && /^\.(RE|PP|SS .*)$/ { exit }
		on && tag { sub(/^\.B /, ""); gsub(/\\/, ""); print }
		{ tag = $0 == ".TP" }
		index($0, before) { on = 1 }' "$(page "$1")" | sort
}

# completed OPTION: the values that bash offers
completed()
{
	sed -n "s/^.*$1.*'\([a-z0-9 -]*\)'.*/\1/p" "$top_builddir/tools/completion/iotrace" | tr ' ' '\n' | sort
}

ok 'the table is printed' sh -c "'$findings' >'$T/table' 2>'$T/err'"
none 'with nothing amiss' "$T/err"
ok 'it has findings' grep -q '^\.B small\\-reads$' "$T/table"
declared analysis/rules >"$T/files"
tags iotrace-findings.7 'with the thresholds that' >"$T/page"
same 'the page has a finding for each file' "$T/page" "$T/files"
grep -v -F -x -f "$(page iotrace-findings.7)" "$T/table" >"$T/lacks"
none 'and all that the table says of it' "$T/lacks"
completed 'local rules=' >"$T/completed"
same 'completion has the same' "$T/completed" "$T/files"

# formats TOOL OPTION BEFORE: what the tool's man page and completion have, and its files
formats()
{
	declared "tools/$1/formats" >"$T/files"
	tags "iotrace-$1.1" "$3" >"$T/page"
	same "the page of iotrace-$1 has a format for each file" "$T/page" "$T/files"
	completed "$1:$2" >"$T/completed"
	same 'completion has the same formats' "$T/completed" "$T/files"
}
formats cat --format 'more about the others is below'
formats export --to 'more about each is below'

# rows FILE...: what rows.awk says of them
cd "$T" || exit 99
mkdir rules
row()
{
	printf '/* SPDX */\n/* %s.c - things that are so. */\n%s\n' "$1" "$2" >"rules/$1.c"
}
rows()
{
	LC_ALL=C $AWK -v macro='RULE|LINES' "$@" -f "$top_srcdir/table/rows.awk" rules/*.c 2>&1
}
row a_b 'RULE(a_b, 20, .over = 1)'
row c 'LINES(c, 9, .over = 1)'
is 'rows by their numbers' "$(rows | grep '^O*T*H*E*R*_*ROW')" 'ROW(c, "c")
OTHER_ROW(a_b, "a-b")'
is 'rows as a list of the manual' "$(rows -v form=page)" '.TP
.B c
Things that are so.
.TP
.B a-b
Things that are so.'
# wrong NAME ROW MESSAGE: the build stops, and that is why
wrong()
{
	row "$1" "$2"
	if rows >said; then
		echo 'it is taken' >>said
	fi
	is "$3" "$(cat said)" "$4"
	row c 'LINES(c, 9, .over = 1)'
}
wrong c 'RULE(d, 9, )' 'the name of another file' "rules/c.c:3: the row's name is d, and not that of the file, c"
wrong c 'RULE(c, 20, )' 'the number of another one' 'rules/c.c:3: 20 is the number of a_b'
wrong c 'RULE(c, .id, )' 'no number' "rules/c.c:3: '.id' is no number that says where the row stands among the others"
wrong c 'ROLE(c, 9, )' 'no row' 'rules/c.c: has no row: RULE|LINES(c, NUMBER, ...)'
wrong c 'RULE(c, 9, )
RULE(c, 10, )' 'two rows' 'rules/c.c:4: the file has a row already'
sed -i 2d rules/c.c
is 'no word of what it is' "$(rows)" 'rules/c.c:2: does not say what the file is: /* c.c - ... */'
done_testing
