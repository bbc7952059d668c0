# SPDX-License-Identifier: BSD-3-Clause
# Fortran: a module with iotrace.h's functions, as source, since compiled modules
# are only good for the compiler that made them.
iotfortrandir = $(pkgdatadir)
dist_iotfortran_DATA = fortran/iotrace.f90
