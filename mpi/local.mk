# SPDX-License-Identifier: BSD-3-Clause
# MPI's wrappers: compiled once for each MPI that configure found, since an mpi.h
# is good for one.
EXTRA_DIST += \
	mpi/archive.mk \
	mpi/call.c \
	mpi/clock.c \
	mpi/comm.c \
	mpi/error.c \
	mpi/files.c \
	mpi/image.c \
	mpi/info.c \
	mpi/init.c \
	mpi/iompi.h \
	mpi/job.c \
	mpi/job.h \
	mpi/merge.c \
	mpi/message.c \
	mpi/needs.c \
	mpi/open.c \
	mpi/ops.c \
	mpi/ours.c \
	mpi/pmpi-stubs.c \
	mpi/pmpi.h \
	mpi/readable.c \
	mpi/several.c \
	mpi/several.h \
	mpi/sizes.c \
	mpi/start.c \
	mpi/table.c \
	mpi/table.h \
	mpi/type.c \
	mpi/view.c \
	mpi/wait.c \
	mpi/wants.c \
	mpi/win.c

iotlib_DATA += $(mpi_data)
mpi_data =
if HAVE_OPENMPI
mpi_data += mpi/libiotrace-mpi-openmpi-dynamic.a mpi/libiotrace-mpi-openmpi-lazy.a \
	mpi/libiotrace-mpi-openmpi-needs.a \
	mpi/libiotrace-mpi-openmpi.so mpi/openmpi.dynamic.list
endif
if HAVE_MPICH
mpi_data += mpi/libiotrace-mpi-mpich.a mpi/mpich.wrap.list \
	mpi/libiotrace-mpi-mpich-direct.a mpi/libiotrace-mpi-mpich-direct.a.of \
	mpi/libiotrace-mpi-mpich-dynamic.a mpi/libiotrace-mpi-mpich-lazy.a \
	mpi/libiotrace-mpi-mpich-needs.a \
	mpi/libiotrace-mpi-mpich.so mpi/mpich.dynamic.list
endif

# Its ids begin behind those of calls.def.
first_mpi_id = 600

gen_mpi = $(run_gen_awk) -v first=$(first_mpi_id)

mpi/%.stamp: $(gen_awk) $(templates) $(iot_kinds) table/mpi.def table/mpi-comm.def \
	config.status $(srcdir)/mpi/local.mk $(srcdir)/table/local.mk
	$(AM_V_GEN)set -e; for form in static dynamic; do \
		dir=mpi/gen-$*-$$form; $(call make_anew,$$dir); \
	done; \
	LC_ALL=C $(NM) -D --defined-only $(IOT_MPI_$*_SO) >mpi/$*.names; \
	$(gen_mpi) -v form=dynamic -v out=mpi/gen-$*-dynamic $(iot_kinds:%=$(srcdir)/%) mpi/$*.names $(srcdir)/table/mpi.def $(srcdir)/table/mpi-comm.def; \
	{ echo '{'; cat mpi/gen-$*-dynamic/wrap.list; echo '};'; } >mpi/$*.dynamic.list; \
	test -z '$(IOT_MPI_$*_A)' || { \
		LC_ALL=C $(NM) -A -f sysv -g --defined-only $(IOT_MPI_$*_A) >mpi/$*.names 2>/dev/null; \
		$(gen_mpi) -v out=mpi/gen-$*-static $(iot_kinds:%=$(srcdir)/%) mpi/$*.names $(srcdir)/table/mpi.def $(srcdir)/table/mpi-comm.def; \
		cp mpi/gen-$*-static/wrap.list mpi/$*.wrap.list; \
	}; \
	for form in static dynamic; do dir=mpi/gen-$*-$$form; $(call keep_same,$$dir); done; \
	touch $@
mpi/openmpi.wrap.list mpi/openmpi.dynamic.list: mpi/openmpi.stamp
mpi/mpich.wrap.list mpi/mpich.dynamic.list: mpi/mpich.stamp

mpi/libiotrace-mpi-openmpi.a mpi/libiotrace-mpi-openmpi-dynamic.a mpi/libiotrace-mpi-openmpi-lazy.a mpi/libiotrace-mpi-openmpi-needs.a mpi/libiotrace-mpi-openmpi.so: iot-mpi-openmpi
	@:
mpi/libiotrace-mpi-mpich.a mpi/libiotrace-mpi-mpich-direct.a mpi/libiotrace-mpi-mpich-direct.a.of mpi/libiotrace-mpi-mpich-dynamic.a mpi/libiotrace-mpi-mpich-lazy.a mpi/libiotrace-mpi-mpich-needs.a mpi/libiotrace-mpi-mpich.so: iot-mpi-mpich
	@:
iot-mpi-openmpi iot-mpi-mpich: iot-mpi-%: mpi/%.stamp iot-archive
	@$(MAKE) $(AM_MAKEFLAGS) --no-print-directory -f $(srcdir)/mpi/archive.mk mpi='$*' mpi_a='$(IOT_MPI_$*_A)' \
		mpi_flags='$(filter-out -l% -L%,$(IOT_MPI_$*_FLAGS))' \
		srcdir='$(srcdir)' ARCH='$(IOT_ARCH)' CC='$(CC)' AR='$(AR)' NM='$(NM)' RANLIB='$(RANLIB)' OBJCOPY='$(OBJCOPY)' CFLAGS='$(IOT_RECORDER_CFLAGS)' \
		WARN='$(IOT_CFLAGS)' VERSION='$(PACKAGE_VERSION)' V='$(V)'
.PHONY: iot-mpi-openmpi iot-mpi-mpich

CLEANFILES += mpi/openmpi.stamp mpi/mpich.stamp mpi/openmpi.names mpi/mpich.names
clean-recorder: clean-mpi
clean-mpi:
	rm -rf mpi/gen-* mpi/obj-*
.PHONY: clean-mpi
