# SPDX-License-Identifier: BSD-3-Clause
# The tables that all else is made from, and what makes it.
gen_awk = \
	table/gen.awk \
	table/gen-wrap.awk \
	table/gen-desc.awk \
	table/gen-mpi.awk \
	table/template.awk

# What wrappers look like, which it fills in
templates = \
	table/wrapper-body.c.in \
	table/wrapper-entry.c.in \
	table/wrapper-fortified.c.in \
	table/wrapper-hot.c.in \
	table/wrapper-mpi-entry.c.in \
	table/wrapper-mpi.c.in \
	table/wrapper-mpiio.c.in \
	table/wrapper-noreturn.c.in

run_gen_awk = LC_ALL=C $(AWK) -v templates=$(srcdir)/table $(gen_awk:%=-f $(srcdir)/%)

# What declares itself, a file each: analysis/rules, tools/cat/formats
run_rows_awk = LC_ALL=C $(AWK) -f table/rows.awk

# $(call make_anew,DIR) empties a directory of generated files, $(call keep_same,DIR) gives those that
# have come out as they were their old times: nothing is compiled anew for them.
make_anew = rm -rf $(1).old && { test ! -d $(1) || mv $(1) $(1).old; } && $(MKDIR_P) $(1)
keep_same = { for file in $(1).old/*; do \
		test -f "$$file" && cmp -s "$$file" "$(1)/$${file\#\#*/}" && mv -f "$$file" $(1)/; \
	done; rm -rf $(1).old; }

# The table of kinds, which C includes by its first part
iot_kinds = \
	table/kinds.def \
	table/kinds-named.def \
	table/kinds-ipc.def \
	table/kinds-uring.def

# The table of calls: a log's ids follow this order.
iot_calls = \
	table/posix.def \
	table/net.def \
	table/mem.def \
	table/proc.def \
	table/stdio.def \
	table/dir.def \
	table/above.def \
	table/aio.def \
	table/uring.def \
	table/fortran.def \
	table/user.def \
	table/watch.def \
	table/fortified.def \
	table/inline.def

# The same in one piece, for all that reads it but does not make wrappers of it
noinst_DATA += table/calls.def
CLEANFILES += table/calls.def
table/calls.def: $(iot_calls) $(srcdir)/table/local.mk
	$(AM_V_GEN)$(MKDIR_P) table && \
	cat $(iot_calls:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@

EXTRA_DIST += \
	$(gen_awk) \
	$(templates) \
	table/call-effects.awk \
	table/call-names.awk \
	table/list-sources \
	table/rows.awk \
	$(iot_calls) \
	table/README \
	table/families.def \
	$(iot_kinds) \
	table/mpi-comm.def \
	table/mpi-errors.def \
	table/mpi.def \
	table/musl.def \
	table/symbols-x86_64.def \
	table/syscalls-x86_64.def \
	table/units.def \
	table/uring-ops.def
