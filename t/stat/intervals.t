#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whose the bytes of a file are, as analysis/intervals.c has it.
intervals=${top_builddir:-.}/t/stat/intervals
[ -x "$intervals" ] || {
	echo 'Bail out! t/stat/intervals is not built (make check TESTS= builds it)'
	exit 99
}
exec "$intervals"
