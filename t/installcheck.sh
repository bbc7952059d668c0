#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# installcheck.sh SOURCE - compile SOURCE with the installed iocc, run it, and
# find the write under fprintf in its log with the installed iotrace-cat.
# bindir and DESTDIR say where that is.
set -eu
LC_ALL=C
export LC_ALL

bin=${DESTDIR:-}${bindir:?is not set}
source=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
cd "$where"

# must PATTERN: the log has such a line
must()
{
	grep -E "$1" log >/dev/null || {
		echo "installcheck: no line of the log matches: $1" >&2
		cat log >&2
		exit 1
	}
}

"$bin/iocc" -static -g -O2 -o report "$source"
./report 2>/dev/null
"$bin/iotrace-cat" --format=json ./*.iotrace >log
must '"call":"fprintf"|"call":"vfprintf"'
must '"call":"write","syscall":"write".*report.txt'
"$bin/iotrace-cat" ./*.iotrace >log
must '^.*open.*report\.txt'
"$bin/iotrace-stat" ./*.iotrace >log
must ' write$'
"$bin/iotrace-audit" report
echo 'installcheck: a program was compiled and traced'
