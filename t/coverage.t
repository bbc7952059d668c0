#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
#
# Every I/O function that this libc.a has is wrapped by all its names: those
# of the lists in t/coverage, and every other name for the same code.
# What is not is listed, with a reason, in t/coverage/left-out.txt.
. "${0%/*}/lib/tap.sh"

lists=$top_srcdir/t/coverage
left_out=$lists/left-out.txt

# "MEMBER ADDRESS NAME" of the code that libc.a's members define
"$NM" -A --defined-only "$IOT_LIBC_A" 2>/dev/null |
	sed -n 's/^.*:\([^:]*\):\([0-9a-f]*\) [TWi] \(.*\)$/\1 \2 \3/p' | sort >"$T/code"
cut -d' ' -f3 "$T/code" | sort -u >"$T/libc"
# names given to --wrap
sed 's/.*--wrap[=,]//' "$top_builddir/lib/wrap.list" | sort -u >"$T/wrap"
# names that have a wrapper
"$NM" --defined-only "$top_builddir/lib/libiotrace.a" 2>/dev/null |
	sed -n 's/^[0-9a-f]* [TW] __wrap_//p' | sort -u >"$T/have"
sed -n 's/^\([A-Za-z0-9_]\{1,\}\)[[:space:]]\{1,\}[^[:space:]].*/\1/p' "$left_out" | sort >"$T/left"

# empty DESCRIPTION FILE
empty()
{
	if [ -s "$2" ]; then
		fail "$1"
		diag_file "$2" 100
	else
		pass "$1"
	fi
}

ok 'libc.a has code' test -s "$T/libc"
ok 'there are wrappers' test -s "$T/have"
for list in libc libc-internal; do
	sort -u "$lists/$list.txt" | comm -12 - "$T/libc" | comm -23 - "$T/left" >"$T/wanted"
	ok "$list: some are in libc.a" test -s "$T/wanted"
	comm -23 "$T/wanted" "$T/wrap" >"$T/out"
	empty "$list: every name is given to the linker" "$T/out"
	comm -23 "$T/wanted" "$T/have" >"$T/out"
	empty "$list: every name has a wrapper" "$T/out"
done
comm -23 "$T/wrap" "$T/have" >"$T/out"
empty 'what the linker wraps has a wrapper' "$T/out"
comm -13 "$T/wrap" "$T/have" >"$T/out"
empty 'what has a wrapper is wrapped by the linker' "$T/out"

# An alias: another name at the same place of the same member.
"$AWK" 'FNR == NR { wrapped[$1] = 1; next }
	wrapped[$3] { at[$1 " " $2] = $3 }
	{ name[++n] = $3; where[n] = $1 " " $2 }
	END {
		for (i = 1; i <= n; i++)
			if (where[i] in at && !wrapped[name[i]])
				print name[i], "is", at[where[i]]
	}' "$T/wrap" "$T/code" | sort -u >"$T/aliases"
"$AWK" 'FNR == NR { left[$1] = 1; next } !left[$1]' "$T/left" "$T/aliases" >"$T/out"
empty 'every alias of a wrapped name is wrapped' "$T/out"

"$AWK" '/^#/ || /^$/ { next } NF < 2 { print "no reason:", $0 }' "$left_out" >"$T/out"
comm -12 "$T/left" "$T/wrap" | sed 's/$/: listed as left out, but wrapped/' >>"$T/out"
uniq -d "$T/left" | sed 's/$/: listed twice/' >>"$T/out"
empty 'left-out.txt has reasons and nothing that is wrapped' "$T/out"
done_testing
