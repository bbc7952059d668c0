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
# have for programs.  Memory, processes and what formats text for others say nothing.
cat >"$T/nothing" <<'EOT'
mmap munmap __mmap __munmap __mmap64 mmap64 madvise __madvise mremap __mremap
abort exit _exit prctl __prctl dlsym siglongjmp longjmp __libc_siglongjmp __libc_longjmp _longjmp __longjmp_chk
umask __umask poll __poll wait4 __wait4 waitpid __waitpid clone __clone_internal
vfprintf __vfprintf_internal __vfscanf_internal __vfwprintf_internal __vfwscanf_internal
fprintf _IO_getc putc __overflow __uflow __fpurge
EOT
tr ' ' '\n' <"$T/nothing" | sort -u | comm -23 "$T/wrap" - >"$T/io"
"$NM" -A "$IOT_LIBC_A" 2>/dev/null | sed -n 's/^.*:\([^:]*\):[0-9a-f ]*\([A-Za-z]\) \(.*\)$/\1 \2 \3/p' |
	"$AWK" -v io="$T/io" 'BEGIN { while ((getline name <io) > 0) is_io[name] = 1 }
		$2 == "U" && is_io[$3] { calls[$1] = 1 }
		$2 ~ /[TWi]/ && $3 !~ /^_/ { has[$1] = has[$1] " " $3 }
		END {
			for (member in calls) {
				n = split(has[member], public, " ")
				for (i = 1; i <= n; i++)
					print public[i]
			}
		}' | sort -u >"$T/above"
sed -n 's/^\([A-Za-z0-9_]\{1,\}\)[[:space:]]\{1,\}[^[:space:]].*/\1/p' "$lists/above.txt" | sort >"$T/reasons"
ok 'above system calls: some have wrappers' grep -q -x realpath "$T/above"
comm -23 "$T/above" "$T/wrap" | comm -23 - "$T/reasons" >"$T/out"
empty 'above system calls: every function has a wrapper, or a reason in above.txt' "$T/out"
comm -12 "$T/reasons" "$T/wrap" | sed 's/$/: has a reason, but is wrapped/' >"$T/out"
uniq -d "$T/reasons" | sed 's/$/: listed twice/' >>"$T/out"
"$AWK" '/^#/ || /^$/ { next } NF < 2 { print "no reason:", $0 }' "$lists/above.txt" >>"$T/out"
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
