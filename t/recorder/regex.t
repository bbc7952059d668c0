#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The recorder's own matcher of extended regular expressions: the same as libc's
# on patterns and texts made at random, TEST_LONG=1: on ten times as many; and its errors.
. "${0%/*}/../lib/tap.sh"

# with sanitizers where the compiler has them
build()
{
	# shellcheck disable=SC2086 # CC may have options
	$CC -g -O1 -Wall -Wextra "$@" -o "$T/regex" "$top_srcdir/t/recorder/regex.c" "$top_srcdir/lib/core/regex.c"
}

# matches PATTERN TEXT yes|no|ERROR
matches()
{
	is "'$1' on '$2': $3" "$("$T/regex" check "$1" "$2" 2>&1)" "$3"
}

if build -fsanitize=address,undefined -fno-sanitize-recover=all >"$T/build" 2>&1 && "$T/regex" check a a >/dev/null 2>&1; then
	pass 'the matcher compiles, with sanitizers'
else
	ok 'the matcher compiles' build
fi
if [ "${TEST_LONG:-0}" = 1 ]; then n=20000; else n=2000; fi
for seed in 1 2 3 4; do
	ok "$n patterns from seed $seed match what libc's match" "$T/regex" $seed $n
	sed 1q "$T/.said"
done

matches '^/data/.*\.(nc|h5)$' /data/run/a.nc yes
matches '^/data/.*\.(nc|h5)$' /data/run/a.ncx no
matches '^(/dev|/proc)/' /proc/self/exe yes
matches '^(/dev|/proc)/' /home/proc/a no
matches 'a{2}{3}' aaaaaa yes
matches '^a{2}{3}$' aaaaa no
matches '^(a*)*$' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab no
matches '^(a|aa|aaa|aaaa)*{20}$' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab no
matches '[]a-]+$' ']-a' yes
matches 'a)' 'a)' yes
matches '[a' a '[ without ]'
matches '(a' a '( without )'
matches 'a{1' a 'bad repetition count'
matches 'a{2,1}' a 'bad repetition count'
matches 'a{256}' a 'bad repetition count'
matches '*a' a 'nothing to repeat'
matches '(+a)' a 'nothing to repeat'
matches '[b-a]' a 'range is out of order'
matches '[[:foo:]]' a 'unknown character class'
matches '[[.a.]]' a 'collating symbols are not known here'
matches '[[=a=]]' a 'collating symbols are not known here'
# shellcheck disable=SC1003 # that is what it is
matches 'a\' a 'trailing backslash'
matches '(a)\1' aa 'backslash before a character that needs none'
matches '\w' a 'backslash before a character that needs none'
matches '(a{200}){2}' a 'pattern is too long'
matches "$("$AWK" 'BEGIN { while (i++ < 40) printf "(" }')" a 'too many parentheses'
matches "$("$AWK" 'BEGIN { while (i++ < 40) printf "[a]" }')" a 'too many bracket expressions'
done_testing
