# SPDX-License-Identifier: BSD-3-Clause
# iotrace-audit.
TESTS += \
	t/audit/cover.t \
	t/audit/input.t \
	t/audit/libc.t \
	t/audit/number.t
EXTRA_DIST += \
	t/audit/cover.S \
	t/audit/holes.c \
	t/audit/libc.c \
	t/audit/numbers.S \
	t/audit/static-local.c
