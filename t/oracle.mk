# SPDX-License-Identifier: BSD-3-Clause
# Logs compared with what strace saw: a program per family, and real ones.
iot_families = \
	t/oracle-above.t t/oracle-aio.t t/oracle-dir.t t/oracle-dl.t t/oracle-exceptions.t t/oracle-fortran.t t/oracle-mem.t t/oracle-net.t \
	t/oracle-posix-fd.t t/oracle-posix-fortified.t t/oracle-posix-meta.t \
	t/oracle-posix-poll.t t/oracle-posix-rw.t t/oracle-proc.t t/oracle-signals.t \
	t/oracle-stdio-fortified.t t/oracle-stdio-wide.t t/oracle-stdio.t t/oracle-user.t
iot_real = \
	t/real-bzip2.t t/real-dash.t t/real-lua.t t/real-sqlite3.t
TESTS += t/oracle-self.t t/oracle-dynamic.t t/oracle-musl.t t/coverage.t t/every-call.t $(iot_families) $(iot_real)

EXTRA_DIST += \
	t/check-gcc.sh \
	t/check-hpc.sh \
	t/check-real.sh \
	t/check-run.sh \
	t/coverage/above.txt \
	t/coverage/left-out.txt \
	t/coverage/libc-internal.txt \
	t/coverage/libc.txt \
	t/coverage/not-called.txt \
	t/demo/report.c \
	t/installcheck.sh \
	t/lib/Agree.pm \
	t/lib/Beneath.pm \
	t/lib/Frames.pm \
	t/lib/Lines.pm \
	t/lib/Strace.pm \
	t/lib/family.sh \
	t/lib/flip-bits \
	t/lib/log-sizes \
	t/lib/oracle \
	t/lib/real.sh \
	t/lib/stat-sums \
	t/oracle/again.c \
	t/oracle/bypass.c \
	t/oracle/calls.json \
	t/oracle/calls.strace \
	t/oracle/dynamic.c \
	t/oracle/past.c \
	t/oracle/shell.c \
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
	t/progs/posix-meta.c \
	t/progs/posix-poll.c \
	t/progs/posix-rw.c \
	t/progs/proc.c \
	t/progs/show.h \
	t/progs/signals.c \
	t/progs/stdio-wide.c \
	t/progs/stdio.c \
	t/progs/user.c \
	t/real-gzip.t \
	t/real-xz.t

# The real programs' own test suites, with and without iocc: takes long.
check-real: all
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-real.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-run.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-hpc.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-gcc.sh
.PHONY: check-real

# Compile and trace a program with what was installed.
installcheck-local: installcheck-iotrace
installcheck-iotrace:
	DESTDIR='$(DESTDIR)' bindir='$(bindir)' $(SHELL) $(srcdir)/t/installcheck.sh '$(srcdir)/t/demo/report.c'
.PHONY: installcheck-iotrace

distclean-local: distclean-real
distclean-real:
	-rm -rf real
.PHONY: distclean-real

# Fortran's statements
TESTS += t/demo.t t/fortran.t t/fortran-units.t t/fortran-ends.t t/fortran-where.t
EXTRA_DIST += \
	t/demo/hello_c.c \
	t/demo/hello_fortran.f90 \
	t/fortran/async.txt \
	t/fortran/characters.f90 \
	t/fortran/count.c \
	t/fortran/ends.f90 \
	t/fortran/first.f90 \
	t/fortran/formats.txt \
	t/fortran/internal.f90 \
	t/fortran/nested.txt \
	t/fortran/shared.f90 \
	t/fortran/statements.txt \
	t/fortran/transfers.txt \
	t/fortran/units.f90 \
	t/fortran/units.txt
