#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
#
# Every I/O function that this libc.a has is wrapped by all its names: those
# of the lists in t/coverage, and every other name for the same code.
# What is not is listed, with a reason, in t/coverage/left-out.txt.
. "${0%/*}/../lib/tap.sh"

lists=$top_srcdir/t/coverage
left_out=$lists/left-out.txt

# "MEMBER ADDRESS NAME" of the code that libc.a's members define
"$NM" -A --defined-only "$IOT_LIBC_A" 2>/dev/null |
	sed -n 's/^.*:\([^:]*\):\([0-9a-f]*\) [TWi] \(.*\)$/\1 \2 \3/p' | sort >"$T/code"
cut -d' ' -f3 "$T/code" | sort -u >"$T/libc"
# names given to --wrap
sed 's/.*--wrap[=,]//' "$top_builddir/lib/wrap.list" "$top_builddir/lib/libaio.list" | sort -u >"$T/wrap"
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
# Functions above system calls: what the members of libc.a that call something wrapped
# have for programs, themselves or by other functions within libc (whose names begin with
# _).  Memory, processes and what formats text for others say nothing.
cat >"$T/nothing" <<'EOT'
mmap munmap __mmap __munmap __mmap64 mmap64 madvise __madvise mremap __mremap
abort exit _exit prctl __prctl dlsym siglongjmp longjmp __libc_siglongjmp __libc_longjmp _longjmp __longjmp_chk
umask __umask poll __poll wait4 __wait4 waitpid __waitpid clone __clone_internal
vfprintf __vfprintf_internal __vfscanf_internal __vfwprintf_internal __vfwscanf_internal
fprintf _IO_getc putc __overflow __uflow __fpurge
EOT
tr ' ' '\n' <"$T/nothing" | sort -u | comm -23 "$T/wrap" - >"$T/io"
# functions within libc, or patterns, that nothing is looked at above of
sed -n 's/^\(_[A-Za-z0-9_*]*\)[[:space:]]\{1,\}[^[:space:]].*/\1/p' "$lists/above.txt" | sort >"$T/within"
: >"$T/unused"
"$NM" -A "$IOT_LIBC_A" 2>/dev/null | sed -n 's/^.*:\([^:]*\):[0-9a-f ]*\([A-Za-z]\) \(.*\)$/\1 \2 \3/p' |
	"$AWK" -v io="$T/io" -v wrap="$T/wrap" -v within="$T/within" -v unused="$T/unused" '
		BEGIN {
			while ((getline name <io) > 0) is_io[name] = 1
			while ((getline name <wrap) > 0) is_wrapped[name] = 1
			while ((getline name <within) > 0) {
				pattern[++n_patterns] = name
				gsub(/\*/, ".*", name)
				as_regex[n_patterns] = "^" name "$"
			}
		}
		function passes(name,	i) {
			if (name !~ /^_/ || is_wrapped[name])
				return 0
			for (i = 1; i <= n_patterns; i++)
				if (name ~ as_regex[i]) {
					stops[i] = 1
					return 0
				}
			return 1
		}
		$2 ~ /[Uw]/ {
			if (is_io[$3]) calls[$1] = 1
			else users[$3] = users[$3] " " $1
		}
		$2 ~ /[TWi]/ { has[$1] = has[$1] " " $3 }
		END {
			for (member in calls) queue[++last] = member
			for (first = 1; first <= last; first++) {
				n = split(has[queue[first]], names, " ")
				for (i = 1; i <= n; i++) {
					if (names[i] !~ /^_/) print names[i], by[queue[first]]
					if (!passes(names[i])) continue
					k = split(users[names[i]], above, " ")
					for (j = 1; j <= k; j++)
						if (!(above[j] in calls)) {
							calls[above[j]] = 1
							by[above[j]] = "by way of " names[i]
							queue[++last] = above[j]
						}
				}
			}
			for (i = 1; i <= n_patterns; i++)
				if (!stops[i]) print pattern[i] ": nothing is left out for it" >unused
		}' | sort -u >"$T/by"
cut -d' ' -f1 "$T/by" >"$T/above"
sed -n 's/^\([A-Za-z0-9_]\{1,\}\)[[:space:]]\{1,\}[^[:space:]].*/\1/p' "$lists/above.txt" | sort >"$T/reasons"
ok 'above system calls: some have wrappers' grep -q -x realpath "$T/above"
comm -23 "$T/above" "$T/wrap" | comm -23 - "$T/reasons" | join - "$T/by" >"$T/out"
empty 'above system calls: every function has a wrapper, or a reason in above.txt' "$T/out"
{
	comm -12 "$T/reasons" "$T/wrap" | sed 's/$/: has a reason, but is wrapped/'
	uniq -d "$T/reasons" | sed 's/$/: listed twice/'
	"$AWK" '/^#/ || /^$/ { next } NF < 2 { print "no reason:", $0 }' "$lists/above.txt"
	cat "$T/unused"
} >"$T/out"
empty 'above.txt has reasons, and nothing that is wrapped' "$T/out"

# The table and iotrace-audit, which knows by itself what is I/O, agree: of a program that
# has every function of libc's it finds none that goes past the wrappers.
sed -n 's/^[^ ]* [^ ]* \([a-zA-Z].*\)/\1/p' "$T/code" | sort -u >"$T/public"
{
	printf '\t.data\n\t.globl table\ntable:\n'
	sed 's/^/\t.quad /' "$T/public"
	printf '\t.section .note.GNU-stack,"",@progbits\n'
} >"$T/all.s"
printf 'extern void *table[];\nint main(int n, char **argv)\n{\n\treturn argv[n - 1] == table[n];\n}\n' >"$T/main.c"
if "$IOCC" -static -o "$T/all" "$T/main.c" "$T/all.s" 2>"$T/err"; then
	"$IOTRACE_AUDIT" "$T/all" | grep ' reached from ' >"$T/out"
	empty 'iotrace-audit finds no call of libc without a wrapper' "$T/out"
else
	fail 'a program with every function of libc links'
	grep -v -i warning "$T/err" >"$T/out"
	diag_file "$T/out"
fi
done_testing
