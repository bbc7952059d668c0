# SPDX-License-Identifier: BSD-3-Clause
# Fortran: a module with iotrace.h's functions, as source, since compiled modules
# are only good for the compiler that made them.
if HAVE_FC
iotfortrandir = $(pkgdatadir)
dist_iotfortran_DATA = fortran/iotrace.f90
endif

# What stands for gfortran's runtime; see lib/archive.mk
EXTRA_DIST += \
	fortran/async.c \
	fortran/async_worker.c \
	fortran/fresh.c \
	fortran/gfortran.h \
	fortran/intrinsics.c \
	fortran/offset.c \
	fortran/redirect.c \
	fortran/set_record_marker.c \
	fortran/st_backspace.c \
	fortran/st_close.c \
	fortran/st_endfile.c \
	fortran/st_flush.c \
	fortran/st_inquire.c \
	fortran/st_open.c \
	fortran/st_read.c \
	fortran/st_rewind.c \
	fortran/st_wait.c \
	fortran/st_wait_async.c \
	fortran/st_write.c \
	fortran/statement.c \
	fortran/transfer.c \
	fortran/unit.c
