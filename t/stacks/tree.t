#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Many stacks: each comes back frame by frame, whoever made it and however many there are,
# and none is taken for another; what they take in the log is bounded.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

calls=20000
ok 'compiles' "$IOCC" -static -O2 "$top_srcdir/t/stacks/tree.c" -o tree -lpthread || done_testing

# traced ARGUMENT...: said and the log
traced()
{
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs IOTRACE_CALLS=posix IOTRACE_STACK=${depth:-64} ./tree "$@" >said
}

# frames: of each pwrite, by its offset, the functions of the program
frames()
{
	"$IOTRACE_CAT" -k -e pwrite "$@" 2>err | awk '
	/pwrite\(/ {
		if (line)
			print line
		sub(/.*pwrite/, "pwrite")
		line = $4 + 0 ":"
	}
	/^ *> f[0-9] / && line { line = line " " substr($2, 2) }
	END { print line }'
}

# theirs [TIMES]: the program knows these, and makes each call so often
theirs()
{
	awk -v times="${1:-1}" '{ for (i = 0; i < times; i++) print }' said | sort
}

# right DESCRIPTION [TIMES [LOG]]
right()
{
	frames "${3:-logs}" | sort >got
	theirs "${2:-1}" >want
	is "$1: nothing is said" "$(cat err)" ''
	ok "$1: each of its stacks is right" cmp -s got want || diff got want | sed 4q | diag_lines
}

diag_lines()
{
	while IFS= read -r diag_line; do diag "$diag_line"; done
}

size() { cat logs/*.iotrace | wc -c; }

# small DESCRIPTION BYTES N: the log has not more, for N
small()
{
	each=$(($(size) / $3))
	ok "$1: $each bytes" test $each -le "$2"
}

# 50 frames around are the same
traced inner $calls
right inner
small 'a stack and its call, of 60 frames' 72 $calls
once=$(size)
traced inner $calls 2
right 'again and again' 2
again=$((($(size) - once) / calls))
ok "what is known is not told again: $again bytes" test $again -le 28

# 42 frames within are not, and there are more than are kept
traced outer $calls
right outer
small 'a stack and its call, of 42 frames of its own' 144 $calls
if packs 'outer, packed'; then
	"$IOTRACE_PACK" -o packed.iotrace logs/*.iotrace
	right 'outer, packed' 1 packed.iotrace
fi
traced outer 10000 2
right 'what was not kept' 2

# beyond so many frames no more are stored: those are the innermost
depth=16
traced outer 2000
frames logs | sort >got
theirs | awk '{ NF = 17 } 1' >want
ok 'sixteen frames' cmp -s got want
unset depth

traced threads 3000
right threads 4
traced turns 3000
right 'threads in turn' 4
small 'what threads share is there once' 260 3000
traced forks $calls
right forks
small 'what children were forked with they need not tell' 96 $calls

# whoever follows the log
rm -rf logs && mkdir logs
(IOTRACE_DIR=$T/logs IOTRACE_STACK=64 timeout 600 ./tree inner 500 20 >said) &
program=$!
until [ -n "$(find logs -name '*.iotrace')" ]; do
	sleep 0.01
done
frames -f logs | sort >got
wait $program
theirs 20 >want
ok 'followed: each of its stacks is right' cmp -s got want || diff got want | sed 4q | diag_lines

# told by a hash, these two would be one
IOTRACE_STACK_BY=fp traced alike
status=$?
if [ $status != 77 ]; then
	is 'two of equal hash: status' $status 0
	"$IOTRACE_CAT" -k -e pwrite logs | awk '
	/^pwrite/ { printf "%s%d:", nl, $4; nl = "\n"; n = 0; next }
	n++ { gsub(/[][]/, "", $NF); printf " %s", $NF }
	END { print "" }' >got
	ok 'two of equal hash are two' cmp -s got said || diag_file got
else
	skip 'two of equal hash are two' 'not for this processor'
fi
done_testing
