#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kernel's object, wherever it was linked to and is mapped: names are found in it.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

arch=$(uname -m)
# shellcheck disable=SC2086 # CC may have options
ok 'the program compiles' $CC -D_GNU_SOURCE -DIOT_DYNAMIC -O2 -fPIC -I"$top_builddir" -I"$top_builddir/lib/gen" -I"$top_srcdir/include" \
	-I"$top_srcdir/lib/core" -I"$top_srcdir/lib/dynamic" -I"$top_srcdir/lib/arch/$arch" \
	-o vdso "$top_srcdir/t/dynamic/vdso.c" "$top_srcdir/lib/core/sys.c" "$top_srcdir/lib/arch/$arch/syscall.c" || done_testing
./vdso >got 2>said
status=$?
[ $status -ne 77 ] || skip_all 'the kernel has no such object'
is 'it runs' $status 0 || diag_file said
for how in low high; do
	for at in 0 0x10000000 0x7fffe0000000 0xffffffffff700000; do
		is "$how, linked to $at: by the loader's list, and by the auxiliary vector" \
			"$(sed -n "s/^$how, linked to $at: //p" got)" 'found found'
	done
done
done_testing
