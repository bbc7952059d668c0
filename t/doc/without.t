#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where an optional library is missing, other code is compiled: the files *-none.c, formats of iotrace-export
# without theirs.  Who has all libraries never builds it; the compiler looks at it here.
. "${0%/*}/../lib/tap.sh"

sed '/define HAVE_LIBIBERTY/d' "$top_builddir/config.h" >"$T/config.h"
cd "$top_srcdir" || exit 99
{
	find reader tools -name '*-none.c'
	grep -l 'NO_FORMAT(' tools/export/formats/*.c
	grep -rl 'HAVE_LIBIBERTY' reader tools
} | sort >"$T/files"
ok 'there are such files' test -s "$T/files"
while read -r file; do
	# shellcheck disable=SC2086 # CC may have options
	ok "$file compiles without its library" $CC -std=gnu11 -Wall -Wextra -Werror -fsyntax-only \
		-I"$T" -I"$top_builddir" -Iinclude -I"$top_builddir/include" "$file"
done <"$T/files"

done_testing
