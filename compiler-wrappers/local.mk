# SPDX-License-Identifier: BSD-3-Clause
# The compiler wrappers: iocc.in, and a line for each compiler that it runs.
iot_wrappers = \
	compiler-wrappers/iocc \
	compiler-wrappers/iocxx
if HAVE_FC
iot_wrappers += \
	compiler-wrappers/iof77 \
	compiler-wrappers/iof90
endif
if HAVE_MPI
iot_wrappers += \
	compiler-wrappers/iompicc \
	compiler-wrappers/iompicxx \
	compiler-wrappers/iompif77 \
	compiler-wrappers/iompif90
endif
wrapper_iompicc = -e 's,@driver@,mpi,;s,@language@,MPI C,;s,@variable@,IOMPICC_CC,' -e 's|@compiler@|$(IOMPICC_CC)|'
wrapper_iompicxx = -e 's,@driver@,mpi,;s,@language@,MPI C++,;s,@variable@,IOMPICXX_CXX,' -e 's|@compiler@|$(IOMPICXX_CXX)|'
wrapper_iompif77 = -e 's,@driver@,mpi,;s,@language@,MPI Fortran,;s,@variable@,IOMPIF77_F77,' -e 's|@compiler@|$(IOMPIF77_F77)|'
wrapper_iompif90 = -e 's,@driver@,mpi,;s,@language@,MPI Fortran,;s,@variable@,IOMPIF90_FC,' -e 's|@compiler@|$(IOMPIF90_FC)|'
wrapper_iof77 = -e 's,@driver@,f90,;s,@language@,Fortran,;s,@variable@,IOF77_F77,' -e 's|@compiler@|$(IOF77_F77)|'
wrapper_iof90 = -e 's,@driver@,f90,;s,@language@,Fortran,;s,@variable@,IOF90_FC,' -e 's|@compiler@|$(IOF90_FC)|'
wrapper_iocc = -e 's,@driver@,cc,;s,@language@,C,;s,@variable@,IOCC_CC,' -e 's|@compiler@|$(IOCC_CC)|'
wrapper_iocxx = -e 's,@driver@,cxx,;s,@language@,C++,;s,@variable@,IOCXX_CXX,' -e 's|@compiler@|$(IOCXX_CXX)|'

bin_SCRIPTS += $(iot_wrappers)
CLEANFILES += $(iot_wrappers)
EXTRA_DIST += compiler-wrappers/iocc.in

$(iot_wrappers): compiler-wrappers/iocc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	siblings=`echo $(notdir $(iot_wrappers)) | $(SED) 's/ / | /g'` && \
	$(SED) -e 's,@wrapper@,$(@F),' $(wrapper_$(@F)) -e "s:@siblings@:$$siblings:" \
		-e 's|@libc_a@|$(IOT_LIBC_A)|' -e 's|@libc_so@|$(IOT_LIBC_SO)|' -e 's|@musl_a@|$(IOT_MUSL_LIBC_A)|' -e 's|@pkglibdir@|$(pkglibdir)|' \
		$(top_srcdir)/compiler-wrappers/iocc.in >$@.tmp && \
	chmod +x $@.tmp && mv $@.tmp $@

# What the linker finds for -lc in a static link, see the end of iocc.in.
iotstaticdir = $(pkglibdir)/static
iotstatic_DATA = lib/static/libc.a
iotdirectdir = $(pkglibdir)/direct
iotdirect_DATA = lib/direct/libc.a lib/direct/libiotrace-direct.a
CLEANFILES += $(iotstatic_DATA) $(iotdirect_DATA)
EXTRA_DIST += compiler-wrappers/direct.sh

lib/static/libc.a: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	echo '/* GNU ld script */ GROUP ( "$(IOT_LIBC_A)" -liotrace )' >$@.tmp && mv $@.tmp $@

if HAVE_MUSL
iotmusldir = $(pkglibdir)/static-musl
iotmusl_DATA = lib/static-musl/libc.a
CLEANFILES += $(iotmusl_DATA)
endif
lib/static-musl/libc.a: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	echo '/* GNU ld script */ GROUP ( "$(IOT_MUSL_LIBC_A)" -liotrace-musl )' >$@.tmp && mv $@.tmp $@

lib/direct/libc.a: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	echo '/* GNU ld script */ GROUP ( -liotrace-direct "$(IOT_LIBC_A)" )' >$@.tmp && mv $@.tmp $@

lib/direct/libiotrace-direct.a: lib/libiotrace.a lib/wrap.list compiler-wrappers/direct.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	NM='$(NM)' AR='$(AR)' OBJCOPY='$(OBJCOPY)' $(SHELL) $(top_srcdir)/compiler-wrappers/direct.sh \
		lib/libiotrace.a lib/wrap.list '$(IOT_LIBC_A)' $@
