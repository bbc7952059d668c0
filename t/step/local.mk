# SPDX-License-Identifier: BSD-3-Clause
# A traced program is stepped through the recorder, killed and interrupted.
TESTS += \
	t/step/step.t
EXTRA_DIST += \
	t/step/stepped.c

check_PROGRAMS += t/step/step
t_step_step_SOURCES = t/step/board.h t/step/step.h t/step/step.c t/step/check.c t/step/kill.c \
	t/step/signal.c t/step/tracee.c
t_step_step_CPPFLAGS = $(AM_CPPFLAGS)
t_step_step_LDADD = reader/libiotrace-read.la
