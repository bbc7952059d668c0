# SPDX-License-Identifier: BSD-3-Clause
# Fortran's statements.
TESTS += \
	t/fortran/ends.t \
	t/fortran/fortran.t \
	t/fortran/units.t \
	t/fortran/where.t
EXTRA_DIST += \
	t/fortran/async.txt \
	t/fortran/characters.f90 \
	t/fortran/count.c \
	t/fortran/ends.f90 \
	t/fortran/errors.f90 \
	t/fortran/first.f90 \
	t/fortran/formats.txt \
	t/fortran/internal.f90 \
	t/fortran/nested.txt \
	t/fortran/partly.f90 \
	t/fortran/shared.f90 \
	t/fortran/statements.txt \
	t/fortran/transfers.txt \
	t/fortran/units.f90 \
	t/fortran/units.txt
