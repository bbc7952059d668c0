#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Callers that take turns: a thread has kept the walks of four, wherever they are, and each
# call has the stack of its own caller.  How often stacks are walked is counted by callgrind.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

command -v valgrind >/dev/null || skip_all 'no valgrind (Debian: valgrind)'
ok 'compiles' "$IOCC" -static -O1 -g "$top_srcdir/t/stacks/turns.c" -o turns || done_testing

# walks CALLERS ROUNDS: how many there are
walks()
{
	rm -rf logs callgrind.out && mkdir logs
	IOTRACE_DIR=$T/logs valgrind --tool=callgrind --callgrind-out-file=callgrind.out \
		--compress-strings=no ./turns "$@" >valgrind.out 2>&1 || return
	awk '/^cfn=/ { is = $0 ~ /=iot_walk$/ } is && sub(/^calls=/, "") { n += $1 } END { print n + 0 }' callgrind.out
}

# callers N: how many writes have a stack whose innermost frame is each of them
callers()
{
	"$IOTRACE_CAT" -k -e write logs | sed -n 's/^ > \(caller[0-9]\) .*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }'
}

once=$(walks 1 2)
ok "one caller is walked $once times" test "$once" -ge 1
for n in 2 3 4; do
	all=$(walks $n 500)
	ok "$n callers, 500 times each: $all walks" test "$all" -lt $((once + 20))
	is "$n callers: each has its own stack" "$(callers)" "$(seq $n | sed 's/.*/caller& 500/')"
done
all=$(walks 5 500)
ok "5 callers: $all walks of 2,500, most stacks are kept" test "$all" -lt 1500
is "5 callers: each has its own stack" "$(callers)" "$(seq 5 | sed 's/.*/caller& 500/')"
done_testing
