#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libiotrace-read as others get it: what it exports, how its header compiles, that its
# numbers stay, and that it and the recorder can be in one program.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/installed.sh"

here=$top_srcdir/t/read
header=$root$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --variable=includedir iotrace-read)/iotrace/read.h

# --- names -------------------------------------------------------------------
# names FILE...: the global names that they define
names()
{
	"$NM" -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u
}
names "$libdir/libiotrace-read.a" >"$T/ours"
ok 'the static library defines names' grep -q -x iotr_set_next "$T/ours"
grep -v '^iotr_' "$T/ours" >"$T/out"
none 'all of them begin with iotr_' "$T/out"
for archive in "$top_builddir/lib/libiotrace.a" "$top_builddir/lib/libiotrace-dynamic.a"; do
	names "$archive" >"$T/recorder"
	ok "${archive##*/} defines names" grep -q '^iot_' "$T/recorder"
	comm -12 "$T/ours" "$T/recorder" >"$T/out"
	none "${archive##*/} defines none of them" "$T/out"
done

# functions as a compiler sees them, not as exports.awk does
# shellcheck disable=SC2086 # several options
echo '#include <iotrace/read.h>' | $CC $read_cflags -E -P -x c - | tr '\n' ' ' | tr ';{}' '[\n*3]' |
	sed -n '/^ *typedef/d; s/.*[ *]\(iotr_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$T/declared"
ok 'the header declares functions' test "$(wc -l <"$T/declared")" -gt 60
"$NM" -D --defined-only "$libdir/libiotrace-read.so" | sed 's/.* //; s/@.*//' |
	grep -v -x IOTRACE_READ_0 | sort -u >"$T/exported"
same 'the shared library exports the functions of the header, and nothing else' "$T/exported" "$T/declared"
is 'its soname' "$(readelf -d "$libdir/libiotrace-read.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" libiotrace-read.so.0

# --- the header --------------------------------------------------------------
ok 'what is installed refers to nothing that is not' \
	sh -c '! grep -h "#include \"" "$@" | grep -v "\"iotrace/\(batch\|kinds\|used\).h\""' sh \
	"$header" "${header%/*}/batch.h" "${header%/*}/used.h" "${header%/*}/kinds.h"
echo '#include <iotrace/read.h>' >"$T/alone.c"
cp "$T/alone.c" "$T/alone.cc"
# shellcheck disable=SC2086
{
	ok 'the header is C11' $CC -std=c11 -Wall -Wextra -pedantic -Werror $read_cflags -c "$T/alone.c" -o "$T/alone.o"
	ok 'the header is C++17' $CXX -std=c++17 -Wall -Wextra -pedantic -Werror $read_cflags -c "$T/alone.cc" -o "$T/alone.o"
}

# --- numbers -----------------------------------------------------------------
# Programs are compiled with them: a line of numbers.txt is never changed.
grep -v '^#' "$here/numbers.txt" >"$T/frozen"
{
	cat "$T/alone.c"
	sed 's/^\([^ ]*\) \(.*\)/_Static_assert(\1 == \2, "\1");/' "$T/frozen"
} >"$T/numbers.c"
# shellcheck disable=SC2086
ok 'numbers are what they were' $CC $read_cflags -c "$T/numbers.c" -o "$T/numbers.o"
sed -n 's/^\t\(IOTR_[A-Z0-9_]*\) = .*/\1/p; s/^#define \(IOTR_[A-Z0-9_]*\)[[:space:]].*/\1/p' \
	"$header" "${header%/*}/batch.h" "${header%/*}/used.h" "${header%/*}/kinds.h" | sort >"$T/has"
sed 's/ .*//' "$T/frozen" | sort >"$T/knows"
# A kind has its number in its row of kinds.def.  It comes here with the release that has it first.
kinds_head="${header%/*}/kinds.h"
last=$(sed -n 's/^IOTR_KIND_[A-Z0-9_]* //p' "$T/frozen" | sort -n | tail -1)
: >"$T/fresh"
if grep -q -m 1 '^\* .*(not released yet)' "$top_srcdir/NEWS"; then
	sed -n 's/^\t\(IOTR_KIND_[A-Z0-9_]*\) = \([0-9]*\),.*/\1 \2/p' "$kinds_head" |
		awk -v last="$last" '$2 > last { print $1 }' | sort >"$T/fresh"
fi
sort "$T/knows" "$T/fresh" >"$T/known"
same 'numbers.txt has all of them' "$T/known" "$T/has"
is 'no two kinds have one number' \
	"$(sed -n 's/^\tIOTR_KIND_[A-Z0-9_]* = \([0-9]*\),.*/\1/p' "$kinds_head" | sort | uniq -d)" ''

# --- beside the recorder -----------------------------------------------------
# A program that reads a log and is traced while it does.
cat >"$T/demo.c" <<'EOT'
#include <unistd.h>

int main(void)
{
	return write(1, "a line\n", 7) != 7;
}
EOT
ok 'a program is traced' "$IOCC" -O2 "$T/demo.c" -o "$T/demo"
mkdir "$T/log"
ok 'it runs' env IOTRACE_DIR="$T/log" "$T/demo"
# reads FORM LIBS LINK: built by iocc, it counts the log's calls, and leaves its own
reads()
{
	mkdir "$T/$1"
	# shellcheck disable=SC2086
	ok "$1: a reader is built by iocc" "$IOCC" $3 -O2 $read_cflags "$here/count.c" -o "$T/$1/count" $2 || return
	env LD_LIBRARY_PATH="$libdir" IOTRACE_DIR="$T/$1" "$T/$1/count" "$T/log" >"$T/$1/out" 2>&1
	is "$1: it reads a log" "$?:$(cat "$T/$1/out")" "0:$("$IOTRACE_CAT" --format=csv "$T/log" | sed 1d | wc -l)"
	"$IOTRACE_CAT" "$T/$1" >"$T/$1/calls" 2>&1
	like "$1: its own calls are recorded" "$T/$1/calls" "^open.*\.iotrace\""
	[ "$1" = shared ] || like "$1: those within the library as well" "$T/$1/calls" '^pread(64)?\([0-9]*, .*, [0-9]*, 4096\)'
}
reads shared "$read_libs" ''
reads static "$read_static" -static

# --- uninstall ---------------------------------------------------------------
ok 'the library is uninstalled' make -s -C "$top_builddir" DESTDIR="$root" uninstall-libLTLIBRARIES \
	uninstall-iotraceHEADERS uninstall-nodist_iotraceHEADERS uninstall-pkgconfigDATA
find "$root" ! -type d >"$T/out"
none 'nothing is left of it' "$T/out"
done_testing
