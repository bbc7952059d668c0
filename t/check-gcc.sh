#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check-gcc.sh - GCC's own tests of Fortran, those that do I/O, from Debian's source of the
# gfortran that is here.  Each is compiled once and linked without and with iof90, dynamic
# and static.  However it is linked it has the same exit status, says the same and leaves the
# same files; and the log has the statements, with their lines and units, that
# t/fortran/count.c, which knows nothing of the recorder, sees in the program that is
# not traced.  A part of
# what `make check-real` runs.
#
#	check-gcc.sh [TEST...]		namelist_11.f, or 'namelist_*'
#
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/family.sh"
. "${0%/*}/lib/real.sh"

# one TEST: in a directory of its own, below $T; prints a line for each thing that is wrong,
# and "done"
one()
{
	one_src=$dg/$1
	one_dir=$T/$1.d
	mkdir -p "$one_dir" && cd "$one_dir" || exit
	one_options=$(sed -n 's/.*{ *dg-\(additional-\)\{0,1\}options  *"\([^"]*\)"  *}.*/\2/p' "$one_src" | tr '\n' ' ')
	one_more=$(sed -n 's/.*{ *dg-additional-sources  *"\{0,1\}\([^"}]*\)"\{0,1\} *}.*/\1/p' "$one_src")
	set -- "$1"
	for one_file in "$1" $one_more; do
		# shellcheck disable=SC2086 # several options
		case $one_file in
		*.c) $CC -I"$dg" -I"$dg/.." -w -c -o "$one_file.o" "$dg/$one_file" ;;
		*) $FC $one_options -w -J. -I"$dg" -c -o "$one_file.o" "$dg/$one_file" ;;
		esac >compiled 2>&1 || { echo "$1: does not compile"; return; }
		set -- "$@" "$one_file.o"
	done
	one_name=$1
	shift
	nm -u "$@" | grep -Eq '_gfortran_(st_(open|close|read|write|inquire|rewind|backspace|endfile|flush|wait)|f(get|put|seek|tell|lush))' ||
		return
	one_flags=
	case $one_options in *-fopenmp*) one_flags=-fopenmp ;; esac
	# shellcheck disable=SC2086 # none or one
	{
		$FC $one_flags -o plain "$@" && $FC $one_flags -static -o plain-static "$@" &&
			"$IOF90" $one_flags -o dynamic "$@" && "$IOF90" $one_flags -static -o static "$@"
	} >linked 2>&1 || { echo "$one_name: does not link"; return; }
	one_run plain plain
	# its own results may differ
	one_run again plain
	one_run plain-static plain-static
	for one_kind in again plain-static; do
		diff -r result.plain result.$one_kind >/dev/null || { echo "$one_name: unsteady"; return; }
	done
	one_run counted plain "COUNT_TO=$one_dir/counted" "LD_PRELOAD=$T/count.so"
	sort counted | uniq -c >counts
	for one_kind in dynamic static; do
		mkdir logs.$one_kind
		one_run $one_kind $one_kind "IOTRACE_DIR=$one_dir/logs.$one_kind"
		diff -r result.plain result.$one_kind >differs || echo "$one_name: $one_kind: other results: $(head -c 300 differs | tr '\n' '|')"
		"$IOTRACE_CAT" --format=json logs.$one_kind 2>said | one_statements | sort | uniq -c >seen
		grep -v 'never completed' said >complaints && echo "$one_name: $one_kind: $(head -n 1 complaints)"
		diff counts seen >differs || echo "$one_name: $one_kind: other statements: $(tr '\n' '|' <differs)"
	done
	echo "$one_name: done, $(awk '{ n += $1 } END { print n + 0 }' counts) statements"
}

# What count.c says, from the log: statements, their lines and units.  What the runtime's
# threads do for them is none.
one_statements()
{
	awk '
		function value(name, what) {
			if (!match($0, "\"" name "\":" what))
				return "-"
			return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
		}
		/"family":"fortran"/ && !/"call":"TRANSFER"/ {
			call = value("call", "\"[A-Z]*")
			line = value("at", "\"[^\"]*")
			sub(/.*:/, "", line)
			print substr(call, 2), line, (call == "\"OPEN" ? "-" : value("unit", "-*[0-9]+"))
		}'
}

# one_run NAME PROGRAM [VARIABLE=VALUE...]: its results to result.NAME
one_run()
{
	one_result=result.$1 one_program=../$2
	shift 2
	mkdir "$one_result" run
	# how it was killed is the status
	(cd run && TMPDIR=$PWD exec timeout 60 env "$@" "$one_program" >../out 2>../err </dev/null) 2>/dev/null
	echo $? >"$one_result/status"
	mv out "$one_result"
	mv run "$one_result/files"
}

if [ "${1-}" = --one ]; then
	trap - EXIT
	rmdir "$T"
	T=$CHECK_GCC_DIR
	one "$2" 2>&1
	[ "${KEEP:-0}" = 1 ] || rm -rf "${one_dir:?}"
	exit 0
fi

version=$("$FC" -dumpversion | sed 's/\..*//')
real_fetch "gcc-$version"
dg=$real/gcc-$version/gfortran.dg
if [ ! -d "$dg" ]; then
	tar xf "$(echo "$real/gcc-$version/source"/gcc-*.tar.*)" -C "$T" --wildcards '*/gcc/testsuite/gfortran.dg' &&
		mv "$T"/gcc-*/gcc/testsuite/gfortran.dg "$dg"
fi
ok 'the tests are there' test -d "$dg" || done_testing
ok 'count.c compiles' "$CC" -O2 -shared -fPIC -Wall -o "$T/count.so" "$top_srcdir/t/fortran/count.c" || done_testing
# which of them do I/O their symbols tell
(cd "$dg" && grep -l -E 'dg-do *run' ./*.[fF] ./*.[fF][09][0-9] |
	xargs grep -l -i -E 'open|read|write|print|inquire|flush|f(get|put)|endfile|backspace|rewind|close') |
	sed 's,^\./,,' | sort >"$T/all"
if [ $# -gt 0 ]; then
	for pattern; do
		(cd "$dg" && eval "ls $pattern")
	done | sort | comm -12 - "$T/all" >"$T/wanted"
else
	cp "$T/all" "$T/wanted"
fi
CHECK_GCC_DIR=$T
export CHECK_GCC_DIR dg FC T
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
xargs -P "${CHECK_GCC_JOBS:-2}" -n 1 sh "$top_srcdir/t/check-gcc.sh" --one <"$T/wanted" >"$T/results"
for what in 'does not compile' 'does not link' unsteady; do
	diag "$(grep -c ": $what\$" "$T/results") tests: $what: $(sed -n "s/: $what\$//p" "$T/results" | head -n 20 | tr '\n' ' ')"
done
sed -n 's/.*: done, \([0-9]*\) statements$/\1/p' "$T/results" | awk '{ n += $1 } END { print NR " tests of I/O, " n + 0 " statements" }' >"$T/sum"
diag "$(cat "$T/sum")"
grep -v -E ': (done, [0-9]* statements|does not compile|does not link|unsteady)$' "$T/results" | sort >"$T/wrong"
ok 'same results and statements' test ! -s "$T/wrong" || diag_file "$T/wrong" 200
done_testing
