#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# iotrace.py: regions, marks and pauses of a program in Python; without a recorder nothing
# happens.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/python.sh
. "${0%/*}/../lib/python.sh"
cd "$T" || exit 99
PYTHONPATH=$top_srcdir/python
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# runs DESCRIPTION COMMAND...: it says what it should, and nothing more
runs()
{
	what=$1
	shift
	rm -rf written logs
	"$@" >out 2>&1
	is "$what: it ends well" "$? $(cat out)" '0 done'
	is "$what: it has written all" "$(wc -c <written | tr -d ' ')" 88
}
runs 'without a recorder' "$python3" "$src/regions.py"
mkdir without
printf 'raise ImportError\n' >without/ctypes.py
runs 'without ctypes' env PYTHONPATH="$T/without:$PYTHONPATH" "$python3" "$src/regions.py"
runs 'recorded' "$run" -o logs "$python3" "$src/regions.py"

# "DEPTH CALL NAME-OR-BYTES STATUS" of regions, marks, and writes to the file, by start
"$IOTRACE_CAT" --format=json logs/*.iotrace >calls 2>err
none 'iotrace-cat has nothing to say' err
grep -E '"call":"(region|mark|pause|resume)"|"path":"[^"]*/written".*"call":"write"|"call":"write".*"path":"[^"]*/written"' calls |
	sed -n 's/.*"call":"\([a-z]*\)".*"depth":\([0-9]*\).*/\2 \1 &/p' |
	sed 's/ {.*"args":{"[a-z]*":\("[^"]*"\)}.*"status":"\([a-z]*\)".*/ \1 \2/; s/ {.*"args":{"[a-z]*":\("[^"]*"\)}.*/ \1/
		s/ {.*"size":\([0-9]*\).*/ \1/; s/ {.*//' >tree
cat >expected <<'EOT'
0 region "with"
1 write 1
1 region "with"
2 write 2
1 region "decorated"
2 write 4
0 write 5
0 region "left"
0 write 6
0 region "outer"
1 region "bytes"
2 region "größe \udcff"
3 write 7
2 write 8
0 write 9
0 mark "a mark"
0 pause
0 resume
0 region "main"
0 write 11
0 region "thread"
1 write 12
1 write 13
EOT
same 'regions, marks and pauses' tree expected
done_testing
