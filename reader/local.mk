# SPDX-License-Identifier: BSD-3-Clause
# The reader library, for the tools and the fuzzing target.
noinst_LTLIBRARIES += reader/libiotrace-read.la
reader_libiotrace_read_la_SOURCES = \
	include/iotrace/read.h \
	reader/alive.c \
	reader/call.c \
	reader/check.c \
	reader/clock.c \
	reader/clock.h \
	reader/columns.h \
	reader/define.c \
	reader/descriptor.c \
	reader/extent.c \
	reader/file.c \
	reader/follow.c \
	reader/grow.c \
	reader/header.c \
	reader/heap.h \
	reader/index.c \
	reader/inline.c \
	reader/inline.h \
	reader/job.c \
	reader/kinds.c \
	reader/mapped.c \
	reader/maps.c \
	reader/names.c \
	reader/packed.h \
	reader/process.c \
	reader/read.h \
	reader/record.c \
	reader/record.h \
	reader/scan.c \
	reader/schema.c \
	reader/set.c \
	reader/shared.c \
	reader/stacks.c \
	reader/stream.c \
	reader/sum.c \
	reader/symbol.c \
	reader/util.c \
	reader/watch.c \
	reader/window.c
if HAVE_ZSTD
reader_libiotrace_read_la_SOURCES += reader/columns.c reader/pack.c reader/unpack.c
else
reader_libiotrace_read_la_SOURCES += reader/pack-none.c
endif
nodist_reader_libiotrace_read_la_SOURCES = reader/errnos.h
reader_libiotrace_read_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(LIBELF_CFLAGS) $(ZSTD_CFLAGS)
reader_libiotrace_read_la_LIBADD = $(LIBDW_LIBS) $(LIBELF_LIBS) $(ZSTD_LIBS) $(LIBIBERTY_LIBS)

# Names of errors, by number
BUILT_SOURCES += reader/errnos.h
CLEANFILES += reader/errnos.h
reader/errnos.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) reader && \
	echo '#include <errno.h>' | $(CC) $(CPPFLAGS) $(CFLAGS) -E -dM - | \
	$(AWK) '$$2 ~ /^E[A-Z0-9]+$$/ && $$3 ~ /^[0-9]+$$/ { print "[" $$3 "] = \"" $$2 "\"," }' >$@.tmp && mv $@.tmp $@
