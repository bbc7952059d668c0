#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static programs that use musl: the families' programs say what they say without
# iocc, and their logs what strace says.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"

[ -f "$top_builddir/lib/libiotrace-musl.a" ] || skip_all 'built without musl (Debian: musl-tools)'
# shellcheck disable=SC2034 # family's
CC=$IOT_MUSL_CC
IOCC_CC=$IOT_MUSL_CC
export IOCC_CC
for prog in stdio stdio-wide dir posix-fd posix-meta posix-poll posix-rw mem net dl aio signals proc; do
	family $prog
	rm -rf "$T/in-plain" "$T/in-traced" "$T/logs"
done
done_testing
