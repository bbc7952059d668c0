# SPDX-License-Identifier: BSD-3-Clause
# A traced program is killed again and again.
TESTS += \
	t/kill/halted.t \
	t/kill/kills.t
EXTRA_DIST += \
	t/kill/killed.c \
	t/kill/two.c

check_PROGRAMS += t/kill/halted t/kill/kills
t_kill_halted_SOURCES = t/kill/halted.c t/kill/two.h
t_kill_halted_CPPFLAGS = $(AM_CPPFLAGS)
t_kill_kills_SOURCES = t/kill/killed.h t/kill/kills.c
t_kill_kills_CPPFLAGS = $(AM_CPPFLAGS)
t_kill_kills_LDADD = reader/libiotrace-read.la
