#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure says at once which compilers can't build the recorder, and what to do.
. "${0%/*}/../lib/tap.sh"

command -v clang >/dev/null || skip_all 'no clang'
[ ! -f "$top_srcdir/config.status" ] || skip_all 'configured in the source directory'
configure=$(cd "$top_srcdir" && pwd)/configure
[ -x "$configure" ] || skip_all 'no configure'
cd "$T" || exit 99
# shellcheck disable=SC2016 # for the inner shell
exits 'configure CC=clang fails' 1 sh -c '"$0" -q CC=clang >out 2>&1' "$configure"
ok 'and says how iocc gets to run clang' grep -q "CC=gcc IOCC_CC='clang'" out
done_testing
