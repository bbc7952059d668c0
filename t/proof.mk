# SPDX-License-Identifier: BSD-3-Clause
# Proofs that the recorder loses, tears and misnests nothing.
TESTS += t/kills.t t/sanitize.t t/step.t
EXTRA_DIST += t/check-long.sh t/check-ranks.sh t/kill/killed.c t/step/stepped.c

# t/model.t: all interleavings of the recorder's stores with what else may happen
TESTS += t/model.t
EXTRA_DIST += \
	t/model/after.pml \
	t/model/fd.pml \
	t/model/follow.pml \
	t/model/log.pml \
	t/model/move.pml \
	t/model/take.pml

# t/step.t: steps a traced program through the recorder
check_PROGRAMS += t/step/step
t_step_step_SOURCES = t/step/board.h t/step/step.h t/step/step.c t/step/check.c t/step/kill.c \
	t/step/signal.c t/step/tracee.c
t_step_step_CPPFLAGS = $(AM_CPPFLAGS)
t_step_step_LDADD = reader/libiotrace-read.la

# t/kills.t: kills a traced program again and again
check_PROGRAMS += t/kill/kills
t_kill_kills_SOURCES = t/kill/killed.h t/kill/kills.c
t_kill_kills_CPPFLAGS = $(AM_CPPFLAGS)
t_kill_kills_LDADD = reader/libiotrace-read.la

# More of the same, which takes long
check-long: all t/kill/kills t/step/step
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-long.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-ranks.sh
.PHONY: check-long
