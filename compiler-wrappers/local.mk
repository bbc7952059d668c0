# SPDX-License-Identifier: BSD-3-Clause
# The compiler wrappers: one program, whose other names are links to it.
iot_wrappers = \
	compiler-wrappers/io-gcc \
	compiler-wrappers/io-clang
if HAVE_CXX
iot_wrappers += \
	compiler-wrappers/iocxx \
	compiler-wrappers/io-g++ \
	compiler-wrappers/io-clang++
endif
if HAVE_FC
iot_wrappers += \
	compiler-wrappers/iof77 \
	compiler-wrappers/iof90 \
	compiler-wrappers/io-gfortran
endif
if HAVE_MPI
iot_wrappers += \
	compiler-wrappers/iompicc
endif
if HAVE_MPI_CXX
iot_wrappers += \
	compiler-wrappers/iompicxx
endif
if HAVE_MPI_FC
iot_wrappers += \
	compiler-wrappers/iompif77 \
	compiler-wrappers/iompif90
endif

bin_PROGRAMS += compiler-wrappers/iocc
compiler_wrappers_iocc_SOURCES = \
	compiler-wrappers/args.c \
	compiler-wrappers/frame.c \
	compiler-wrappers/held.c \
	compiler-wrappers/help.c \
	compiler-wrappers/identity.c \
	compiler-wrappers/iocc.c \
	compiler-wrappers/iocc.h \
	compiler-wrappers/libraries.c \
	compiler-wrappers/link.c \
	compiler-wrappers/mpi.c \
	compiler-wrappers/needs.c \
	compiler-wrappers/needs.h \
	compiler-wrappers/object.c \
	compiler-wrappers/object.h \
	compiler-wrappers/own.c \
	compiler-wrappers/parts.c \
	compiler-wrappers/place.c \
	compiler-wrappers/response.c \
	compiler-wrappers/run.c \
	compiler-wrappers/sanitizer.c \
	compiler-wrappers/sources.c \
	compiler-wrappers/text.c \
	compiler-wrappers/whole.c \
	compiler-wrappers/whole.h \
	compiler-wrappers/wrap.c \
	tools/common/where.c \
	tools/common/where.h
compiler_wrappers_iocc_CPPFLAGS = $(AM_CPPFLAGS) -DBINDIR='"$(bindir)"' -DPKGLIBDIR='"$(pkglibdir)"' \
	-DLIBC_A='"$(IOT_LIBC_A)"' -DLIBC_SO='"$(IOT_LIBC_SO)"' -DMUSL_A='"$(IOT_MUSL_LIBC_A)"' \
	-DLIBGFORTRAN_A='"$(IOT_LIBGFORTRAN_A)"' \
	-DKNOWN_COMPILERS='"$(IOT_KNOWN_COMPILERS)"' \
	-DMPI_OPENMPI='"$(IOT_MPI_openmpi_SONAME)"' -DMPI_MPICH='"$(IOT_MPI_mpich_SONAME)"' \
	-DIOCC_CC='"$(IOCC_CC)"' -DIOCXX_CXX='"$(IOCXX_CXX)"' -DIOF90_FC='"$(IOF90_FC)"' -DIOF77_F77='"$(IOF77_F77)"' \
	-DIOMPICC_CC='"$(IOMPICC_CC)"' -DIOMPICXX_CXX='"$(IOMPICXX_CXX)"' \
	-DIOMPIF90_FC='"$(IOMPIF90_FC)"' -DIOMPIF77_F77='"$(IOMPIF77_F77)"'
# It is started for every command of a build, and needs no loader for that.
compiler_wrappers_iocc_LDFLAGS = $(IOT_STATIC_PROGRAM)
compiler_wrappers_iocc_LDADD =

# What it adds to links, by which it knows that it is this build's
noinst_PROGRAMS += compiler-wrappers/list-parts
compiler_wrappers_list_parts_SOURCES = compiler-wrappers/list-parts.c compiler-wrappers/whole.c compiler-wrappers/whole.h
compiler_wrappers_list_parts_LDADD =
iot_parts = $(filter-out %.so,$(iotlib_DATA)) $(iotstatic_DATA) $(iotdirect_DATA) $(iotdirectfortran_DATA) $(iotmusl_DATA) \
	$(iotdirectmusl_DATA)
compiler-wrappers/parts.stamp: compiler-wrappers/list-parts$(EXEEXT) $(iot_parts)
	$(AM_V_GEN)compiler-wrappers/list-parts$(EXEEXT) $(iot_parts) >compiler-wrappers/parts.def.tmp && \
	{ cmp -s compiler-wrappers/parts.def.tmp compiler-wrappers/parts.def || \
		cp compiler-wrappers/parts.def.tmp compiler-wrappers/parts.def; } && rm -f compiler-wrappers/parts.def.tmp && touch $@
compiler-wrappers/parts.def: compiler-wrappers/parts.stamp
	@:
compiler-wrappers/iocc-parts.$(OBJEXT): compiler-wrappers/parts.def
CLEANFILES += compiler-wrappers/parts.stamp compiler-wrappers/parts.def

noinst_DATA += $(iot_wrappers)
CLEANFILES += $(iot_wrappers)
$(iot_wrappers): compiler-wrappers/iocc
	$(AM_V_GEN)rm -f $@ && $(LN_S) iocc $@

install-exec-hook: install-wrappers
install-wrappers:
	@for name in $(notdir $(iot_wrappers)); do \
		rm -f "$(DESTDIR)$(bindir)/$$name" && \
		echo "$(LN_S) iocc $(DESTDIR)$(bindir)/$$name" && \
		(cd "$(DESTDIR)$(bindir)" && $(LN_S) iocc "$$name") || exit 1; \
	done
uninstall-wrappers:
	cd "$(DESTDIR)$(bindir)" && rm -f $(notdir $(iot_wrappers))
.PHONY: install-wrappers uninstall-wrappers

# What the linker finds for -lc in a static link, see the end of iocc.in.
iotstaticdir = $(pkglibdir)/static
iotstatic_DATA = lib/static/libc.a
iotdirectdir = $(pkglibdir)/direct
iotdirect_DATA = lib/direct/libc.a lib/direct/libc.a.of
CLEANFILES += $(iotstatic_DATA) $(iotdirect_DATA)
if HAVE_LIBGFORTRAN_A
iotdirectfortrandir = $(pkglibdir)/direct-fortran
iotdirectfortran_DATA = lib/direct-fortran/libgfortran.a lib/direct-fortran/libgfortran.a.of
CLEANFILES += $(iotdirectfortran_DATA)
endif
EXTRA_DIST += compiler-wrappers/direct.sh

lib/static/libc.a: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	echo '/* GNU ld script */ GROUP ( "$(IOT_LIBC_A)" -liotrace )' >$@.tmp && mv $@.tmp $@

if HAVE_MUSL
iotmusldir = $(pkglibdir)/static-musl
iotmusl_DATA = lib/static-musl/libc.a
iotdirectmusldir = $(pkglibdir)/direct-musl
iotdirectmusl_DATA = lib/direct-musl/libc.a lib/direct-musl/libc.a.of
CLEANFILES += $(iotmusl_DATA) $(iotdirectmusl_DATA)
endif
lib/static-musl/libc.a: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	echo '/* GNU ld script */ GROUP ( "$(IOT_MUSL_LIBC_A)" -liotrace-musl )' >$@.tmp && mv $@.tmp $@

# libc and the recorder in one archive, that needs no --wrap: see direct.sh.
lib/direct/libc.a.of: lib/direct/libc.a
	@:
lib/direct-fortran/libgfortran.a.of: lib/direct-fortran/libgfortran.a
	@:
lib/direct-musl/libc.a.of: lib/direct-musl/libc.a
	@:
DIRECT = $(MKDIR_P) $(@D) && NM='$(NM)' AR='$(AR)' RANLIB='$(RANLIB)' OBJCOPY='$(OBJCOPY)' \
	$(SHELL) $(top_srcdir)/compiler-wrappers/direct.sh
lib/direct/libc.a: lib/libiotrace.a lib/wrap.list compiler-wrappers/direct.sh
	$(AM_V_GEN)$(DIRECT) lib/libiotrace.a lib/wrap.list '$(IOT_LIBC_A)' $@
# dynamic executables have a Fortran of their own, with the other prefix
lib/direct-fortran/libgfortran.a: lib/libiotrace-fortran.a lib/fortran.list compiler-wrappers/direct.sh
	$(AM_V_GEN)REAL=iot_static_ && export REAL && $(DIRECT) lib/libiotrace-fortran.a lib/fortran.list '$(IOT_LIBGFORTRAN_A)' $@
lib/direct-musl/libc.a: lib/libiotrace-musl.a lib/wrap-musl.list compiler-wrappers/direct.sh
	$(AM_V_GEN)$(DIRECT) lib/libiotrace-musl.a lib/wrap-musl.list '$(IOT_MUSL_LIBC_A)' $@
