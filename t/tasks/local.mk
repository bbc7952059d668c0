# SPDX-License-Identifier: BSD-3-Clause
# Coroutines and other stacks.
TESTS += \
	t/tasks/tasks.t
EXTRA_DIST += \
	t/tasks/coroutines.c \
	t/tasks/shared.c
