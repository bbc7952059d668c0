# SPDX-License-Identifier: BSD-3-Clause
# The reader library, for the tools and the fuzzing target.
noinst_LTLIBRARIES += lib/read/libiotread.la
lib_read_libiotread_la_SOURCES = \
	lib/read/alive.c \
	lib/read/call.c \
	lib/read/check.c \
	lib/read/clock.c \
	lib/read/clock.h \
	lib/read/columns.h \
	lib/read/define.c \
	lib/read/descriptor.c \
	lib/read/extent.c \
	lib/read/file.c \
	lib/read/follow.c \
	lib/read/grow.c \
	lib/read/header.c \
	lib/read/heap.h \
	lib/read/index.c \
	lib/read/inline.c \
	lib/read/inline.h \
	lib/read/iotrace-read.h \
	lib/read/job.c \
	lib/read/kinds.def \
	lib/read/maps.c \
	lib/read/names.c \
	lib/read/packed.h \
	lib/read/process.c \
	lib/read/read.h \
	lib/read/record.c \
	lib/read/record.h \
	lib/read/scan.c \
	lib/read/schema.c \
	lib/read/set.c \
	lib/read/shared.c \
	lib/read/stacks.c \
	lib/read/stream.c \
	lib/read/sum.c \
	lib/read/symbol.c \
	lib/read/symbols.def \
	lib/read/util.c \
	lib/read/watch.c \
	lib/read/window.c
if HAVE_ZSTD
lib_read_libiotread_la_SOURCES += lib/read/columns.c lib/read/pack.c lib/read/unpack.c
else
lib_read_libiotread_la_SOURCES += lib/read/pack-none.c
endif
nodist_lib_read_libiotread_la_SOURCES = lib/read/errnos.h
lib_read_libiotread_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(LIBELF_CFLAGS) $(ZSTD_CFLAGS)
lib_read_libiotread_la_LIBADD = $(LIBDW_LIBS) $(LIBELF_LIBS) $(ZSTD_LIBS) $(LIBIBERTY_LIBS)

# Names of errors, by number
BUILT_SOURCES += lib/read/errnos.h
CLEANFILES += lib/read/errnos.h
lib/read/errnos.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) lib/read && \
	echo '#include <errno.h>' | $(CC) $(CPPFLAGS) $(CFLAGS) -E -dM - | \
	$(AWK) '$$2 ~ /^E[A-Z0-9]+$$/ && $$3 ~ /^[0-9]+$$/ { print "[" $$3 "] = \"" $$2 "\"," }' >$@.tmp && mv $@.tmp $@
