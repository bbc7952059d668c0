# SPDX-License-Identifier: BSD-3-Clause
# Which calls of libc and MPI have a row in the tables, and which of them programs in t/progs make.
TESTS += \
	t/coverage/coverage.t \
	t/coverage/every-call.t
EXTRA_DIST += \
	t/coverage/above.txt \
	t/coverage/left-out.txt \
	t/coverage/libc-internal.txt \
	t/coverage/libc.txt \
	t/coverage/mpi.txt \
	t/coverage/not-called.txt
