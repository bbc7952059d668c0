# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
#
# faults.sh - what tests of page faults have in common, after tap.sh: a kernel that tells of them.

src=$top_srcdir/t/faults
# shellcheck disable=SC2086 # CC may have options
ok 'asks is built' $CC "$src/asks.c" -o "$T/asks" || done_testing
"$T/asks" || skip_all 'the kernel lets nobody count page faults here'
