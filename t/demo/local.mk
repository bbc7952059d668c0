# SPDX-License-Identifier: BSD-3-Clause
# The programs that `./bootstrap demo` traces.
TESTS += \
	t/demo/demo.t
EXTRA_DIST += \
	t/demo/field.c \
	t/demo/hello_c.c \
	t/demo/hello_fortran.f90 \
	t/demo/report.c
