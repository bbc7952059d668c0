# SPDX-License-Identifier: BSD-3-Clause
# Pointers that the kernel never reads.
TESTS += \
	t/pointers/pointers.t
EXTRA_DIST += \
	t/pointers/gen.awk \
	t/pointers/left-out.txt \
	t/pointers/moving.c \
	t/pointers/nothing.c \
	t/pointers/pointers.c
