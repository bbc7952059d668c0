# SPDX-License-Identifier: BSD-3-Clause
# archive.mk - the wrappers for one MPI.  Run by the build's Makefile in the build
# directory, with what lib/archive.mk gets, and mpi, mpi_a and mpi_flags: MPI's name,
# static library ("" if there is none) and what its mpi.h needs.
#
#	mpi/libiotrace-mpi-MPI.a		beside libiotrace.a
#	mpi/libiotrace-mpi-MPI-direct.a		the same, without --wrap, and what is
#						in MPI's library in place of that
#	mpi/libiotrace-mpi-MPI-dynamic.a	beside libiotrace-dynamic.a
#	mpi/libiotrace-mpi-MPI-lazy.a		the same for linkers that search archives for what
#						shared libraries need, too
#	mpi/libiotrace-mpi-MPI-needs.a		beside it, if the program itself calls MPI
#	mpi/libiotrace-mpi-MPI.so		in place of libiotrace.so
obj = mpi/obj-$(mpi)
makefile = $(srcdir)/mpi/archive.mk
include $(srcdir)/lib/flags.mk

FLAGS += -Os $(mpi_flags) -I$(srcdir)/mpi
gen = mpi/gen-$(mpi)
static_flags += -I$(gen)-static
dynamic_flags := -I$(gen)-dynamic $(dynamic_flags)

# what only a dynamic process has to ask
dynamic_own = ours pmpi-stubs
by_hand = $(filter-out $(dynamic_own) needs wants,$(basename $(notdir $(wildcard $(srcdir)/mpi/*.c))))
generated = $(basename $(shell cat $(gen)-static/sources 2>/dev/null))
dynamic_generated = $(basename $(shell cat <$(gen)-dynamic/sources))
objects = $(by_hand:%=$(obj)/%.o) $(generated:%=$(obj)/%.o)
dynamic_objects = $(by_hand:%=$(obj)-dynamic/%.o) $(dynamic_own:%=$(obj)-dynamic/%.o) $(dynamic_generated:%=$(obj)-dynamic/%.o)
static_archive = mpi/libiotrace-mpi-$(mpi).a
direct_archive = mpi/libiotrace-mpi-$(mpi)-direct.a
dynamic_archive = mpi/libiotrace-mpi-$(mpi)-dynamic.a
lazy_archive = mpi/libiotrace-mpi-$(mpi)-lazy.a
needs_archive = mpi/libiotrace-mpi-$(mpi)-needs.a
library = mpi/libiotrace-mpi-$(mpi).so

all: $(if $(mpi_a),$(static_archive) $(direct_archive)) $(dynamic_archive) $(lazy_archive) $(needs_archive) $(library)

$(static_archive): $(objects)
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $(objects) && $(RANLIB) $@

# For programs that wrap MPI's functions themselves: wrappers that have the functions'
# names, and MPI's functions with others, for which its own library is not searched.
$(direct_archive): $(static_archive) $(srcdir)/compiler-wrappers/direct.sh
	$(call say,GEN)NM='$(NM)' AR='$(AR)' RANLIB='$(RANLIB)' OBJCOPY='$(OBJCOPY)' REAL=iot_static_ PART=1 \
		$(SHELL) $(srcdir)/compiler-wrappers/direct.sh $< $(gen)-static/wrap.list $(mpi_a) $@

$(dynamic_archive): $(obj)-dynamic/whole.o
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $^ && $(RANLIB) $@
$(obj)-dynamic/whole.o: $(dynamic_objects)
	$(LINK_WHOLE)

# mold prefers what a shared library defines to what an archive defines weakly.  No program
# defines a PMPI_ function.
lazy = $(obj)-dynamic/lazy
$(lazy_archive): $(obj)-dynamic/whole.o $(obj)-dynamic/wants.o
	@rm -f $@
	$(call say,GEN)$(NM) -f sysv $< | tr -d ' ' | LC_ALL=C awk -F '|' -v to=$(lazy) '\
		$$3 == "W" && $$1 ~ /^PMPI_/ { \
			print $$1, "iot_weak_" $$1 >(to ".names"); \
			print "--add-symbol", $$1 "=" $$NF ":0x" $$2 ",function,global" >(to ".add") \
		}' && \
	$(OBJCOPY) --redefine-syms=$(lazy).names --wildcard --localize-symbol='iot_weak_*' $< $(lazy)-1.o && \
	$(OBJCOPY) @$(lazy).add $(lazy)-1.o && $(CC) -r -nostdlib -o $(lazy).o $(lazy)-1.o $(obj)-dynamic/wants.o && \
	rm -f $(lazy).names $(lazy).add $(lazy)-1.o && $(AR) cr $@ $(lazy).o && $(RANLIB) $@

$(needs_archive): $(obj)-dynamic/needs.o
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $^ && $(RANLIB) $@

$(library): lib/libiotrace-so.a $(dynamic_archive)
	$(LINK_SO)

$(obj)/%.o: $(srcdir)/mpi/%.c $(made_with) | $(obj)
	$(COMPILE)
$(obj)/%.o: $(gen)-static/%.c $(made_with) | $(obj)
	$(COMPILE)
$(obj)-dynamic/%.o: $(srcdir)/mpi/%.c $(made_with) | $(obj)-dynamic
	$(COMPILE_DYNAMIC)
$(obj)-dynamic/%.o: $(gen)-dynamic/%.c $(made_with) | $(obj)-dynamic
	$(COMPILE_DYNAMIC)
$(obj) $(obj)-dynamic:
	mkdir -p $@
.PHONY: all

-include $(objects:.o=.d) $(dynamic_objects:.o=.d)
