# SPDX-License-Identifier: BSD-3-Clause
# Random programs: t/hostile.  HOSTILE_SECONDS says for how long, HOSTILE_SEED from
# which seed on, HOSTILE_OPTIONS what else check-hostile.pl is to be told.
TESTS += \
	t/hostile/found.t \
	t/hostile/programs.t \
	t/hostile/self.t
EXTRA_DIST += \
	t/hostile/Case.pm \
	t/hostile/Emit.pm \
	t/hostile/Forms.pm \
	t/hostile/Oracle.pm \
	t/hostile/Places.pm \
	t/hostile/alone.c \
	t/hostile/always.c \
	t/hostile/around.c \
	t/hostile/board.c \
	t/hostile/check-hostile.pl \
	t/hostile/confined.c \
	t/hostile/draw.c \
	t/hostile/place.c \
	t/hostile/proc.c \
	t/hostile/row.c \
	t/hostile/special.c \
	t/hostile/state.c \
	t/hostile/storm.c \
	t/hostile/storm.h \
	t/hostile/stream.c \
	t/hostile/table.awk \
	t/hostile/value.c

HOSTILE_SECONDS = 600
HOSTILE_SEED = 1
HOSTILE_OPTIONS =
check-hostile: all
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-hostile.sh \
		--seconds=$(HOSTILE_SECONDS) --seed=$(HOSTILE_SEED) $(HOSTILE_OPTIONS)
.PHONY: check-hostile
