# SPDX-License-Identifier: BSD-3-Clause
# The tables that all else is made from, and what makes it.
gen_awk = \
	table/gen.awk \
	table/gen-wrap.awk \
	table/gen-desc.awk \
	table/gen-mpi.awk
EXTRA_DIST += \
	$(gen_awk) \
	table/call-hashes.awk \
	table/calls.def \
	table/kinds.def \
	table/mpi-comm.def \
	table/mpi-errors.def \
	table/mpi.def \
	table/musl.def \
	table/symbols.def \
	table/syscalls-x86_64.def
