# SPDX-License-Identifier: BSD-3-Clause
# System calls that the kernel delivers as SIGSYS (IOTRACE_SYSCALLS).
TESTS += \
	t/dispatch/dispatch.t \
	t/dispatch/real.t
EXTRA_DIST += \
	t/dispatch/altstacks.c \
	t/dispatch/cancel.c \
	t/dispatch/counted.c \
	t/dispatch/deep.c \
	t/dispatch/filters.c \
	t/dispatch/processes.c \
	t/dispatch/raw.s \
	t/dispatch/say.h \
	t/dispatch/signals.c \
	t/dispatch/threads.go \
	t/dispatch/threads.py
