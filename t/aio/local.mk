# SPDX-License-Identifier: BSD-3-Clause
# Asynchronous I/O.
TESTS += \
	t/aio/linux.t
EXTRA_DIST += \
	t/aio/linux.c \
	t/aio/linux.pl
