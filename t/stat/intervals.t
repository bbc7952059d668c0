#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whose the bytes of a file are, as analysis/intervals.c has it.
intervals=${top_builddir:-.}/t/stat/intervals
[ -x "$intervals" ] || {
	echo '1..0 # SKIP t/stat/intervals is not built (make check builds it)'
	exit 0
}
exec "$intervals"
