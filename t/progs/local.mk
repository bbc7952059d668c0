# SPDX-License-Identifier: BSD-3-Clause
# A program for each family of calls.
EXTRA_DIST += \
	t/progs/above.c \
	t/progs/aio.c \
	t/progs/dir.c \
	t/progs/dl.c \
	t/progs/exceptions.cc \
	t/progs/fortran-async.f90 \
	t/progs/fortran-chars.f90 \
	t/progs/fortran-format.f90 \
	t/progs/fortran-nested.f90 \
	t/progs/fortran-units.f90 \
	t/progs/fortran.f90 \
	t/progs/mem.c \
	t/progs/net.c \
	t/progs/posix-fd.c \
	t/progs/posix-kinds.c \
	t/progs/posix-meta.c \
	t/progs/posix-poll.c \
	t/progs/posix-rw.c \
	t/progs/proc.c \
	t/progs/show.h \
	t/progs/signals.c \
	t/progs/stdio-wide.c \
	t/progs/stdio.c \
	t/progs/uring.c \
	t/progs/user.c
