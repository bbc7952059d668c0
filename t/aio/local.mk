# SPDX-License-Identifier: BSD-3-Clause
# Asynchronous I/O.
TESTS += \
	t/aio/appended.t \
	t/aio/destroy.t \
	t/aio/early.t \
	t/aio/left.t \
	t/aio/listed.t \
	t/aio/linux.t \
	t/aio/moved.t \
	t/aio/posix.t \
	t/aio/ring.t
EXTRA_DIST += \
	t/aio/appended.c \
	t/aio/destroy.c \
	t/aio/early.c \
	t/aio/left.c \
	t/aio/listed.c \
	t/aio/linux.c \
	t/aio/linux.pl \
	t/aio/moved.c \
	t/aio/posix.c \
	t/aio/posix.pl \
	t/aio/ring.c \
	t/aio/wiped.c
