#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What happened to which bytes of a file, as analysis/pieces.c has it.
pieces=${top_builddir:-.}/t/stat/pieces
[ -x "$pieces" ] || {
	echo 'Bail out! t/stat/pieces is not built (make check TESTS= builds it)'
	exit 99
}
exec "$pieces"
