# SPDX-License-Identifier: BSD-3-Clause
# Logs compared with what strace saw: a program for each family.
TESTS += \
	t/oracle/above.t \
	t/oracle/aio.t \
	t/oracle/dir.t \
	t/oracle/dl.t \
	t/oracle/dynamic.t \
	t/oracle/exceptions.t \
	t/oracle/fortran.t \
	t/oracle/mem.t \
	t/oracle/musl.t \
	t/oracle/net.t \
	t/oracle/posix-fd.t \
	t/oracle/posix-fortified.t \
	t/oracle/posix-kinds.t \
	t/oracle/posix-meta.t \
	t/oracle/posix-poll.t \
	t/oracle/posix-rw.t \
	t/oracle/proc.t \
	t/oracle/self.t \
	t/oracle/signals.t \
	t/oracle/stdio-fortified.t \
	t/oracle/stdio-wide.t \
	t/oracle/stdio.t \
	t/oracle/uring.t \
	t/oracle/user.t
EXTRA_DIST += \
	t/oracle/again.c \
	t/oracle/bypass.c \
	t/oracle/calls.json \
	t/oracle/calls.strace \
	t/oracle/dynamic.c \
	t/oracle/past.c \
	t/oracle/shell.c
