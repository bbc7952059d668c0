# SPDX-License-Identifier: BSD-3-Clause
# The reader library, which is installed, for the tools and for programs of others.
lib_LTLIBRARIES += reader/libiotrace-read.la
iotracedir = $(includedir)/iotrace
iotrace_HEADERS = include/iotrace/batch.h include/iotrace/read.h include/iotrace/used.h
nodist_iotrace_HEADERS = include/iotrace/kinds.h
reader_libiotrace_read_la_SOURCES = \
	reader/batch.c \
	reader/block-calls.c \
	reader/block-calls.h \
	reader/block-files.c \
	reader/block-files.h \
	reader/blocks.c \
	reader/blocks.h \
	reader/boot.c \
	reader/bytes.c \
	reader/log-bytes.h \
	reader/call.c \
	reader/checksums.c \
	reader/choose.c \
	reader/clock.c \
	reader/clock.h \
	reader/copy.c \
	reader/counted-calls.c \
	reader/define.c \
	reader/define.h \
	reader/families.c \
	reader/families.h \
	reader/file.c \
	reader/follow-log.c \
	reader/follow.c \
	reader/header.c \
	reader/heap.h \
	reader/index.c \
	reader/inline.c \
	reader/inline.h \
	reader/job-logs.c \
	reader/job.c \
	reader/job.h \
	reader/kept-names.c \
	reader/keys.c \
	reader/kinds.c \
	reader/levels.c \
	reader/live.h \
	reader/log-files.c \
	reader/log.c \
	reader/log-data.h \
	reader/loss.c \
	reader/mapped.c \
	reader/maps.c \
	reader/memory.c \
	reader/memory.h \
	reader/names.c \
	reader/notes.c \
	reader/pack-columns.h \
	reader/packed.h \
	reader/process.c \
	reader/record.c \
	reader/record.h \
	reader/restart.c \
	reader/say.c \
	reader/scan.c \
	reader/schema.c \
	reader/schema.h \
	reader/set-add.c \
	reader/set-logs.c \
	reader/set-shared.c \
	reader/set.c \
	reader/set.h \
	reader/stacks.c \
	reader/starve.h \
	reader/stream.c \
	reader/streams.h \
	reader/symbol.c \
	reader/units.c \
	reader/units.h \
	reader/unpack.h \
	reader/watch.c \
	reader/window.c \
	reader/writers.c
if HAVE_ZSTD
reader_libiotrace_read_la_SOURCES += reader/pack-columns.c reader/pack.c reader/unpack-blocks.c \
	reader/unpack-open.c reader/unpack.c
else
reader_libiotrace_read_la_SOURCES += reader/pack-none.c
endif
nodist_reader_libiotrace_read_la_SOURCES = reader/errnos.h
reader_libiotrace_read_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(LIBELF_CFLAGS) $(ZSTD_CFLAGS)
# -version-info CURRENT:REVISION:AGE, see "Updating version info" in libtool's manual: a
# release that changes the code has REVISION + 1; one with more functions or fields
# CURRENT + 1, 0, AGE + 1; one that takes or changes some CURRENT + 1, 0, 0.
reader_libiotrace_read_la_LDFLAGS = -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=reader/exports.map
EXTRA_reader_libiotrace_read_la_DEPENDENCIES = reader/exports.map
reader_libiotrace_read_la_LIBADD = $(LIBDW_LIBS) $(LIBELF_LIBS) $(ZSTD_LIBS) $(LIBIBERTY_LIBS)

# Examples, with the documentation
examplesdir = $(docdir)/examples
dist_examples_DATA = \
	reader/examples/by-file.cc \
	reader/examples/follow.py \
	reader/examples/in-order.c

# What the library exports is what its headers declare.
CLEANFILES += reader/exports.map
EXTRA_DIST += reader/exports.awk
reader/exports.map: $(iotrace_HEADERS) reader/exports.awk
	$(AM_V_GEN)$(MKDIR_P) reader && \
	$(AWK) -f $(srcdir)/reader/exports.awk $(iotrace_HEADERS:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@

# Numbers of kinds, for programs
BUILT_SOURCES += include/iotrace/kinds.h
CLEANFILES += include/iotrace/kinds.h
EXTRA_DIST += table/kinds.awk
include/iotrace/kinds.h: $(iot_kinds) table/kinds.awk
	$(AM_V_GEN)$(MKDIR_P) include/iotrace && \
	$(AWK) -f $(srcdir)/table/kinds.awk $(iot_kinds:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@

# Names of errors, by number
BUILT_SOURCES += reader/errnos.h
CLEANFILES += reader/errnos.h
reader/errnos.h: config.status
	$(AM_V_GEN)$(MKDIR_P) reader && \
	echo '#include <errno.h>' | $(CC) $(CPPFLAGS) $(CFLAGS) -E -dM - | \
	$(AWK) '$$2 ~ /^E[A-Z0-9]+$$/ && $$3 ~ /^[0-9]+$$/ { print "[" $$3 "] = \"" $$2 "\"," }' >$@.tmp && mv $@.tmp $@
