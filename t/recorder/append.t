#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where bytes went that were appended, whatever offset they were to go to; and files that
# have no name.
# shellcheck disable=SC2016 # awk programs
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# stored: size:offset of each write, in order of their sizes
stored()
{
	by_column '$call ~ /write/ && $path ~ /\/file$/ { print $size ":" ($offset == "" ? "-" : $offset) }' "$T/calls" | sort -n | tr '\n' ' '
}

build append
both append
sound append
is 'each where it went' "$(stored)" \
	'1:10 2:11 3:13 4:16 5:20 6:25 7:10 8:31 9:39 10:0 11:48 12:3 13:59 14:72 15:1 16:0 17:86 18:103 19:121 20:140 21:160 22:181 23:203 24:226 25:250 26:275 27:301 28:5 29:328 '
# O_TMPFILE | O_WRONLY
if ! perl -e 'exit !sysopen(my $file, $ARGV[0], 020200001, 0600)' "$T"; then
	skip 'a file without a name' 'the file system has none'
else
	is 'a file without a name: what the kernel calls it' \
		"$(by_column '$call == "write" && $size >= 30 { sub(/.*\//, "", $path); sub(/#[0-9]+/, "#", $path); print $path, $offset }' "$T/calls" | tr '\n' ' ')" \
		'# (deleted) 0 # (deleted) 30 '
fi
done_testing
