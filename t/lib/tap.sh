# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tap.sh - what every test script needs: assertions in TAP, a directory of its
# own, and the place where things were built.
#
#	. "${0%/*}/../lib/tap.sh"
#	ok 'true works' true
#	done_testing
#
# A test runs under `make check` and under `prove`, from any directory:
# top_builddir is taken from the environment, else it is the current directory,
# else build/ in the source tree, else the source tree.  Settings of the
# environment that would change what a test sees are cleared.

set -u
LC_ALL=C
export LC_ALL
for tap_var in $(env | sed -n 's/^\(IOTRACE[A-Z_]*\)=.*/\1/p'); do
	unset "$tap_var"
done
# a make of the test's own has its own jobs
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL

top_srcdir=$(cd "${0%/*}" && pwd) || exit 99
while [ ! -f "$top_srcdir/t/lib/tap.sh" ]; do
	[ -n "$top_srcdir" ] || { echo "Bail out! $0 is not in a source tree"; exit 99; }
	top_srcdir=${top_srcdir%/*}
done
if [ -z "${top_builddir:-}" ]; then
	for top_builddir in . "$top_srcdir/build" "$top_srcdir"; do
		[ -f "$top_builddir/t/env.sh" ] && break
	done
fi
top_builddir=$(cd "$top_builddir" && pwd) || exit 99
if [ ! -f "$top_builddir/t/env.sh" ]; then
	echo "Bail out! $top_builddir/t/env.sh: not found; run make first"
	exit 99
fi
# CC, CXX and what else configure found
# shellcheck source=/dev/null
. "$top_builddir/t/env.sh"
: "${CC:=cc}" "${CXX:=c++}"

# ask: of a recorder that is off unless asked for, programs are recorded from here on
ask()
{
	[ -z "${IOT_DEFAULT_OFF:-}" ] || export IOTRACE=on
}
ask
IOCC=$top_builddir/compiler-wrappers/iocc
IOCXX=$top_builddir/compiler-wrappers/iocxx
IOF90=$top_builddir/compiler-wrappers/iof90
IOTRACE_CAT=$top_builddir/tools/iotrace-cat
IOTRACE_STAT=$top_builddir/tools/iotrace-stat
IOTRACE_AUDIT=$top_builddir/tools/iotrace-audit
IOTRACE_PACK=$top_builddir/tools/iotrace-pack
export top_srcdir top_builddir CC CXX IOCC IOCXX IOF90
export IOTRACE_CAT IOTRACE_STAT IOTRACE_AUDIT IOTRACE_PACK

tap_name=${0##*/}
T=$(mktemp -d "${TMPDIR:-/tmp}/iotrace-${tap_name%.t}.XXXXXX") || exit 99
export T
tap_n=0
tap_failed=0
# set by those who make the same assertions more than once: what about
tap_about=

# Keep what a test left with KEEP=1; say where it is.
tap_cleanup()
{
	if [ "${KEEP:-0}" = 1 ]; then
		echo "# kept $T"
	else
		chmod -R u+rwx "$T" 2>/dev/null
		rm -rf "$T"
	fi
}
trap tap_cleanup EXIT
trap 'exit 99' HUP INT TERM

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# diag_file FILE [LINES]: its first lines, as diagnostics
diag_file()
{
	[ -f "$1" ] && sed "${2:-40}q" "$1" | sed 's/^/#	/'
	return 0
}

pass()
{
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $tap_about$1"
}

fail()
{
	tap_n=$((tap_n + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_n - $tap_about$1"
	return 1
}

# skip DESCRIPTION REASON
skip()
{
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $tap_about$1 # SKIP $2"
}

# skip_all REASON: all, or what is left when something has been tested already
skip_all()
{
	if [ "$tap_n" -gt 0 ]; then
		skip 'all else' "$1"
		done_testing
	fi
	echo "1..0 # SKIP $1"
	exit 0
}

# built PROGRAM: ends the test if what make check builds for it is not there
built()
{
	[ -x "$1" ] || {
		echo "Bail out! $1: not found; run make check TESTS= first"
		exit 99
	}
}

# page NAME: the manual's page of that name, where it is: some are made
page()
{
	if [ -f "$top_srcdir/doc/$1" ]; then
		echo "$top_srcdir/doc/$1"
	else
		echo "$top_builddir/doc/$1"
	fi
}

# has_zstd: whether iotrace-pack was built with zstd
has_zstd()
{
	"$NM" -D "$IOTRACE_PACK" | grep -q ZSTD_createCCtx
}

# packs WHAT: the same; if not, what would be tested is skipped
packs()
{
	has_zstd && return
	skip "$1" 'iotrace-pack was built without zstd'
	return 1
}

# find_linkers: those that are there are in $linkers, the others skipped
find_linkers()
{
	linkers=
	for linker in bfd gold lld mold; do
		if command -v ld.$linker >/dev/null; then
			linkers="$linkers $linker"
		else
			skip "$linker" "no ld.$linker (Debian: binutils, lld, mold)"
		fi
	done
}

# ok DESCRIPTION COMMAND...: passes if the command succeeds; shows what it said if not
ok()
{
	tap_desc=$1
	shift
	"$@" >"$T/.said" 2>&1 </dev/null
	tap_status=$?
	if [ $tap_status -eq 0 ]; then
		pass "$tap_desc"
	else
		fail "$tap_desc"
		diag "status $tap_status: $*"
		diag_file "$T/.said"
		return 1
	fi
}

# exits DESCRIPTION STATUS COMMAND...: passes if the command exits with STATUS
exits()
{
	tap_desc=$1
	tap_want=$2
	shift 2
	"$@" >"$T/.said" 2>&1 </dev/null
	is "$tap_desc" "$?" "$tap_want" || diag_file "$T/.said"
}

# is DESCRIPTION GOT EXPECTED: passes if both strings are equal
is()
{
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1"
		diag "     got: $2"
		diag "expected: $3"
		return 1
	fi
}

# by_column AWK-ARGUMENT...: awk over lines of iotrace-cat --format=raw, whose columns have
# names: by_column '$call == "pwrite" { print $path }' FILE
by_column()
{
	"$AWK" -F! -v start=1 -v dur=2 -v host=3 -v pid=4 -v tid=5 -v rank=6 -v prog=7 \
		-v family=8 -v call=9 -v syscall=10 -v internal=11 -v depth=12 -v fd=13 -v path=14 \
		-v offset=15 -v size=16 -v ret=17 -v errno=18 -v status=19 -v args=20 -v mpi_own=21 "$@"
}

# like DESCRIPTION FILE PATTERN: passes if a line of the file matches (grep -E)
like()
{
	if grep -E -e "$3" "$2" >/dev/null; then
		pass "$1"
	else
		fail "$1"
		diag "no line matches: $3"
		diag_file "$2"
		return 1
	fi
}

# unlike DESCRIPTION FILE PATTERN: passes if no line of the file matches
unlike()
{
	if grep -n -E -e "$3" "$2" >"$T/.said"; then
		fail "$1"
		diag "matches: $3"
		diag_file "$T/.said"
		return 1
	else
		pass "$1"
	fi
}

# same DESCRIPTION GOT EXPECTED: passes if both files have the same bytes
same()
{
	if cmp -s "$2" "$3"; then
		pass "$1"
	else
		fail "$1"
		diff -u "$3" "$2" >"$T/.said" 2>&1
		diag_file "$T/.said"
		return 1
	fi
}

# none DESCRIPTION FILE: passes if the file is empty
none()
{
	if [ -s "$2" ]; then
		fail "$1"
		diag_file "$2"
		return 1
	else
		pass "$1"
	fi
}

# assertions FILE [WHAT]: those that a script in another language printed, "ok" or "not ok" and what;
# other lines are diagnostics.  The last line says "end": without it the script did not get there.
assertions()
{
	while read -r tap_word tap_rest; do
		case $tap_word in
		ok) pass "${2-}$tap_rest" ;;
		not) fail "${2-}${tap_rest#ok }" ;;
		end) ;;
		*) diag "$tap_word $tap_rest" ;;
		esac
	done <"$1"
	is "${2-}it came to the end" "$(tail -n 1 "$1")" end
}

# To be called last: without it a script that died half-way would pass.
done_testing()
{
	echo "1..$tap_n"
	[ "$tap_failed" -eq 0 ]
	exit
}
