#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What `make check-hostile` runs: random programs, for as long as asked; see HACKING.
# What fails is kept as C programs in found/ of the build tree.
. "${0%/*}/lib/tap.sh"

mkdir -p "$top_builddir/found" || exit 99
perl "$top_srcdir/t/hostile/check-hostile.pl" --found="$top_builddir/found" "$@"
