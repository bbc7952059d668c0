#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What each dynamic executable takes in is settled as far as it can be before it is linked
# (lib/bind.c), and means the same as before.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

[ "$(uname -m)" = x86_64 ] || skip_all 'bind knows x86-64 only'
BIND=$top_builddir/lib/bind
cd "$T" || exit 99

# Functions and data of two files: hidden, local, weak, merged, thread-local, and pointers
cat >one.c <<'E'
#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN int twice(int n);
HIDDEN extern int (*const table[])(int);
HIDDEN extern __thread int each;
__attribute__((weak)) int mine(void) { return 1; }
static volatile int local[4] = { 1, 2, 3, 4 };
static const char *volatile names[] = { "first", "second" };
int inner(int n)
{
	each += n;
	return twice(n) + table[n & 1](local[n & 3]) + names[n & 1][0] + 1000 * mine() + 10000 * each;
}
E
cat >two.c <<'E'
#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN __thread int each = 7;
HIDDEN int thrice(int n);
HIDDEN int twice(int n) { return n > 100 ? thrice(n) : 2 * n; }
HIDDEN int thrice(int n) { return n > 200 ? twice(n) : 3 * n; }
HIDDEN int (*const table[])(int) = { twice, thrice };
E
cat >main.c <<'E'
#include <stdio.h>
int inner(int n);
#ifdef OWN
int mine(void) { return 2; }
#endif
int main(void)
{
	int first = inner(1), second = inner(2);

	return printf("%d %d %d\n", first, second, inner(150)) < 0;
}
E
for source in one two; do
	"$CC" -O1 -fPIC -fno-inline -c "$source.c" || exit 99
done
"$CC" -r -nostdlib -o whole.o one.o two.o || exit 99
ok 'an object is bound' "$BIND" whole.o bound.o

# distances FILE NAME: how often the last link has to find out how far it is to NAME
distances()
{
	readelf -rW "$1" | grep -E 'R_X86_64_(PC|PLT)32' | grep -cE " $2 "
}
is 'without it, the last link looks for what is hidden or local' \
	"$(($(distances whole.o '(twice|thrice)') > 0)) $(distances bound.o '(twice|thrice|local|names)')" '1 0'
is 'what the program may define, it still looks for' "$(distances bound.o mine)" 1
while read -r how want; do
	for o in whole bound; do
		# shellcheck disable=SC2046 # several options
		"$CC" -O1 -fPIE $(echo "$how" | tr , ' ') -o $o main.c $o.o 2>said || cat said
		"./$o" >$o.out
	done
	is "a program does the same ($how)" "$(cat bound.out) $(cat whole.out)" "$want $want"
done <<'E'
-pie 81123 101112 1601558
-no-pie 81123 101112 1601558
-pie,-DOWN 82123 102112 1602558
E
exits 'what is no object is refused' 1 "$BIND" main.c bad.o

# The archive that iocc links
ar x "$top_builddir/lib/libiotrace-dynamic.a" || exit 99
member=$(ar t "$top_builddir/lib/libiotrace-dynamic.a")
nm "$member" | awk '$2 ~ /^[tdbr]$/ && $3 !~ /^\.L/ { print $3 }' >locals
nm "$member" | awk '$2 ~ /^[dbr]$/ && $3 !~ /^\.L/ { data[$3] } $2 == "t" { function_[$3] }
	END { for (name in data) if (!(name in function_)) print name }' >data
is 'no distance to a local name in the archive is left' "$(readelf -rW "$member" | awk '
	FILENAME == "locals" { local[$1]; next }
	$3 ~ /^R_X86_64_(PC|PLT)32$/ && $5 in local { n++ }
	END { print n + 0 }' locals -)" 0
is 'and no local name of data that nothing refers to' "$(readelf -rW "$member" | awk '
	FILENAME == "data" { data[$1]; next }
	/R_X86_64/ { delete data[$5] }
	END { for (name in data) n++; print n + 0 }' data -)" 0
nm "$top_builddir/lib/obj-dynamic/whole.o" | awk '$2 == "t" && $3 !~ /^iot_real_/ { print $3 }' | sort >functions
is 'functions have their names' "$(($(wc -l <functions) > 100)) $(nm "$member" | awk '$2 == "t" && $3 !~ /^iot_real_/ { print $3 }' | sort | diff - functions)" '1 '
# hidden functions there, by their section, and calls from that section
readelf -sW "$member" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "HIDDEN" { print $7, $8 }' >hidden
readelf -SW "$member" | sed 's/[][]//g' | awk '$2 == "iot_text" { print $1 }' >section
is 'no call within its code is left to the last link' "$(readelf -rW "$member" | awk '
	FILENAME == "section" { text = $1; next }
	FILENAME == "hidden" { if ($1 == text) within[$2]; next }
	/^Relocation section/ { own = /\.relaiot_text/; next }
	own && $3 == "R_X86_64_PLT32" && $5 in within { n++ }
	END { print (length(within) > 100), n + 0 }' section hidden -)" '1 0'
done_testing
