# SPDX-License-Identifier: BSD-3-Clause
# archive.mk - the recorder.  Run by the build's Makefile in the build directory,
# with srcdir, ARCH, CC, AR, NM, RANLIB, OBJCOPY, CFLAGS, WARN and VERSION from there.
#
#	lib/libiotrace.a		for static executables
#	lib/libiotrace-dynamic.a	for dynamic ones, linked in whole
#	lib/libiotrace-dynamic-libaio.a, -liburing.a
#					its functions by the names of these libraries'
#	lib/libiotrace-sanitized.a	the same, in front of a sanitizer's static runtime
#	lib/libiotrace.so		the same for LD_PRELOAD
#	lib/libiotrace-so.a		what it is made of; not installed
#	lib/libiotrace-dynamic-fortran.a  Fortran's statements, in dynamic executables
#	lib/libiotrace-fortran.a	and in those that have libgfortran.a in them
#	lib/libiotrace-musl.a		for static executables that use musl, with MUSL_CC
obj = lib/obj
makefile = $(srcdir)/lib/archive.mk
include $(srcdir)/lib/flags.mk

core = $(filter-out unwind-static host,$(basename $(notdir $(wildcard $(srcdir)/lib/core/*.c))))
fortran = $(basename $(notdir $(wildcard $(srcdir)/fortran/*.c)))
by_hand = $(basename $(notdir $(wildcard $(srcdir)/lib/wrap/*.c)))
arch = $(basename $(notdir $(wildcard $(srcdir)/lib/arch/$(ARCH)/*.c)))
faults = $(basename $(notdir $(wildcard $(srcdir)/lib/faults/*.c)))
dispatch = $(basename $(notdir $(wildcard $(srcdir)/lib/dispatch/*.c)))
generated = $(basename $(shell cat <lib/gen/sources))
objects = $(core:%=lib/obj/core-%.o) lib/obj/core-unwind-static.o lib/obj/core-host.o $(by_hand:%=lib/obj/wrap-%.o) \
	$(arch:%=lib/obj/arch-%.o) $(dispatch:%=lib/obj/dispatch-%.o) $(faults:%=lib/obj/faults-%.o) $(fortran:%=lib/obj/fortran-%.o) $(generated:%=lib/obj/%.o)

# What libc.so does not let others call, or what is different in a dynamic process
dynamic_by_hand = $(filter-out child-env clone3 dlsym origin,$(by_hand))
dynamic_own = beneath counted error host modules next stream unseen unwind users
dynamic_generated = $(basename $(shell cat <lib/gen-dynamic/sources))
# stubs first: of several weak definitions the first counts, and theirs of names that a program may
# have itself lead to our wrappers or to the program's
dynamic_objects = lib/obj-dynamic/dynamic-stubs.o $(core:%=lib/obj-dynamic/core-%.o) $(dynamic_by_hand:%=lib/obj-dynamic/wrap-%.o) \
	$(arch:%=lib/obj-dynamic/arch-%.o) $(dispatch:%=lib/obj-dynamic/dispatch-%.o) $(faults:%=lib/obj-dynamic/faults-%.o) $(dynamic_own:%=lib/obj-dynamic/dynamic-%.o) \
	$(dynamic_generated:%=lib/obj-dynamic/%.o)
fortran_objects = $(fortran:%=lib/obj-dynamic/fortran-%.o)
exe_objects = lib/obj-dynamic/dynamic-in-executable.o lib/obj-dynamic/wrap-child-env.o
so_objects = lib/obj-dynamic/dynamic-in-library.o lib/obj-dynamic/dynamic-old.o lib/obj-dynamic/dynamic-child-env.o lib/obj-dynamic/dynamic-child-command.o

# musl: what it has not, or of which there is another in lib/musl
musl_by_hand = $(filter-out clone clone3 dup3 longjmp_chk origin,$(by_hand))
musl_own = $(basename $(notdir $(wildcard $(srcdir)/lib/musl/*.c)))
musl_generated = $(if $(MUSL_CC),$(basename $(shell cat <lib/gen-musl/sources)))
musl_objects = $(core:%=lib/obj-musl/core-%.o) lib/obj-musl/core-unwind-static.o lib/obj-musl/core-host.o $(musl_by_hand:%=lib/obj-musl/wrap-%.o) \
	$(arch:%=lib/obj-musl/arch-%.o) $(dispatch:%=lib/obj-musl/dispatch-%.o) $(faults:%=lib/obj-musl/faults-%.o) $(musl_own:%=lib/obj-musl/musl-%.o) $(musl_generated:%=lib/obj-musl/%.o)
# nothing in it unwinds: cancellation runs the handlers that were pushed
musl_flags = -fno-exceptions -fPIE -DIOT_MUSL -Ilib/gen-musl -I$(srcdir)/lib/musl -isystem lib/gen-musl/kernel

# No vector registers: what the compiler keeps on the stack by these needs a stack that is aligned,
# and a program may call by one that is not (assembly, generated code, musl's cancelled threads).
# Functions whose arguments can be numbers of floating point have them in these registers.
registers = -mgeneral-regs-only
FLAGS += $(registers)
variadic = $(foreach dir,gen gen-dynamic $(if $(MUSL_CC),gen-musl),$(patsubst lib/$(dir)/%.c,$(dir:gen%=lib/obj%)/%.o,$(shell grep -l va_start lib/$(dir)/w_*.c)))
$(variadic): registers =
# Requests to an io_uring are copied whole, which takes a fifth longer without: each function that keeps some on the
# stack aligns it.
$(foreach dir,obj obj-dynamic obj-musl,$(patsubst %,lib/$(dir)/%.o,wrap-requests wrap-uring-complete wrap-uring-quiet wrap-uring-record wrap-uring-submit)): \
	registers = -mincoming-stack-boundary=3

# These run before relocation.
lib/obj-dynamic/dynamic-next.o lib/obj-dynamic/dynamic-stubs.o: dynamic_flags += -fno-jump-tables

# what runs once or seldom, or at leisure, is to be small rather than fast
quick = args encode enter fds leave line opened operation paths python python-code stack sys window
small = core-unwind-static dynamic-modules $(filter-out $(quick:%=core-%),$(core:%=core-%)) $(filter-out wrap-close wrap-uring-submit wrap-uring-complete wrap-uring-quiet wrap-uring-record,$(by_hand:%=wrap-%)) \
	$(filter-out $(basename $(notdir $(shell grep -l iot_hot_enter lib/gen/*.c))),$(generated)) $(fortran:%=fortran-%) $(faults:%=faults-%)
$(small:%=lib/obj/%.o) $(small:%=lib/obj-dynamic/%.o) $(small:%=lib/obj-musl/%.o): FLAGS += -Os

# The administrator's file of defaults, and whether recording is off unless asked for
conf = $(foreach dir,obj obj-dynamic obj-musl,lib/$(dir)/core-defaults.o lib/$(dir)/core-setting.o)
$(conf): FLAGS += '-DIOT_DEFAULTS="$(DEFAULTS)"' $(if $(DEFAULT_OFF),-DIOT_DEFAULT_OFF)

# Names that one file of the core knows are for no one, and would be in each program.
lib/obj/core-%.o lib/obj-musl/core-%.o: LOCALS = --discard-all

# What each forked child runs, however little it does, is to lie together (iot_hot): the kernel
# maps 64 KiB of it at a time.  The constants that it reads lie beside data: fork copies the page
# tables of that, and not of the executable's other constants.  Not in dynamic executables: calls
# from one section to another are work for each link (bind.c).
each = anchor args aside attach auxv bytes effect encode enter fork leave log-share queue result stack stack-tree \
	thread thread-memory unwind-rules usage vdso-clock walk window window-pool window-seal
each_objects = $(foreach dir,obj obj-musl,$(each:%=lib/$(dir)/core-%.o) $(patsubst %,lib/$(dir)/wrap-%.o,_Fork _exit fork) $(patsubst %,lib/$(dir)/w_%.o,_Fork _exit fork))
$(each_objects): CODE = iot_hot
# nor constants for vectors, nor blocks that lie elsewhere since they seem unlikely
$(each_objects): FLAGS += -fno-tree-vectorize -fno-reorder-blocks-and-partition
$(each_objects): CONSTANTS = --rename-section .rodata=.data.rel.ro,alloc,load,data,contents

# records of some length, and names: what is aligned there is not worth its bytes
loose = args opened paths window
$(loose:%=lib/obj/core-%.o) $(loose:%=lib/obj-dynamic/core-%.o) $(loose:%=lib/obj-musl/core-%.o): FLAGS += -fno-align-jumps -fno-align-loops

COMPILE_MUSL = $(call say,CC)$(MUSL_CC) $(CFLAGS) $(FLAGS) $(musl_flags) -MD -MP -c -o $@ $< && $(PRIVATE) $@

all: lib/libiotrace.a lib/libiotrace-dynamic.a lib/libiotrace-sanitized.a lib/libiotrace.so \
	lib/libiotrace-dynamic-libaio.a lib/libiotrace-dynamic-liburing.a \
	lib/libiotrace-dynamic-fortran.a lib/libiotrace-fortran.a $(if $(MUSL_CC),lib/libiotrace-musl.a)

lib/libiotrace.a: $(objects)
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $(objects) && $(RANLIB) $@

# Linked in whole, and by each link anew: one object, in which nothing is left to be found
# but the calls, takes a linker a fifth of the time of hundreds; and less if what it would find
# out each time anew is settled (bind.c) and out of the file, with names of data and of jumps
# to libc.  Functions keep theirs for debuggers and profilers.
lib/bind: $(srcdir)/lib/bind.c
	$(call say,CC)$(CC) $(CFLAGS) $(WARN) -o $@ $<
lib/obj-dynamic/bound%: lib/obj-dynamic/whole% lib/bind
	$(call say,GEN)lib/bind $< $@ && $(NM) $@ | sed -n '/ iot_real_/!s/^.* t //p' >$@.names && \
	$(OBJCOPY) --discard-all --keep-symbols=$@.names $@ && rm -f $@.names
lib/libiotrace-dynamic.a: lib/obj-dynamic/bound.o
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $^ && $(RANLIB) $@
lib/obj-dynamic/whole.o: $(dynamic_objects) $(exe_objects)
lib/obj-dynamic/whole-fortran.o: $(fortran_objects)
lib/obj-dynamic/whole.o lib/obj-dynamic/whole-fortran.o:
	$(LINK_WHOLE) $(GUESTS_APART)

# Functions of libraries that many programs don't have are called iot_to_NAME there, and by their
# names are jumps to those, in archives of their own: a program that looks for such a function
# and lacks the library is to find none (compiler-wrappers/libraries.c).
names_of = $(shell sed -n 's/^\t\(.*\);$$/\1/p' lib/dynamic-$(1).list)
lib/obj-dynamic/whole.o: GUESTS_APART = && $(OBJCOPY) $(foreach name,$(call names_of,libaio) $(call names_of,liburing),--redefine-sym $(name)=iot_to_$(name)) $@
lib/obj-dynamic/names-of-%.c: lib/dynamic-%.list
	@{ echo '#include "arch-stub.h"'; printf 'IOT_GUEST(%s);\n' $(call names_of,$*); } >$@
lib/libiotrace-dynamic-%.a: lib/obj-dynamic/names-of-%.o
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $^ && $(RANLIB) $@

# The runtime of a sanitizer defines libc's names weakly, and before us: ours are not weak.
# Its functions are called __interceptor_NAME as well, and ours call these; where there is
# none, libc's, as ever.
sanitized = lib/obj-dynamic/sanitized
lib/libiotrace-sanitized.a: lib/obj-dynamic/whole.o
	@rm -f $@
	$(call say,GEN)$(NM) -f sysv $< | tr -d ' ' | LC_ALL=C awk -F '|' -v to=$(sanitized) '\
		$$3 == "W" && $$NF { \
			print $$1, "iot_weak_" $$1 >(to ".names"); \
			print "--add-symbol", $$1 "=" $$NF ":0x" $$2 ",function,global" >(to ".add") \
		} \
		$$1 ~ /^iot_real_/ && $$1 !~ /gfortran|^iot_real_old_/ { \
			to_call = "__interceptor_" substr($$1, 10); \
			print $$1, to_call >(to ".names"); print to_call >(to ".weak") \
		}' && \
	$(OBJCOPY) --redefine-syms=$(sanitized).names --wildcard --localize-symbol='iot_weak_*' $< $(sanitized).o && \
	$(OBJCOPY) --globalize-symbols=$(sanitized).weak $(sanitized).o && \
	$(OBJCOPY) --weaken-symbols=$(sanitized).weak @$(sanitized).add $(sanitized).o && \
	rm -f $(sanitized).names $(sanitized).weak $(sanitized).add && $(AR) cr $@ $(sanitized).o && $(RANLIB) $@

lib/libiotrace-dynamic-fortran.a: lib/obj-dynamic/bound-fortran.o
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $^ && $(RANLIB) $@

lib/libiotrace-fortran.a: $(fortran:%=lib/obj/fortran-%.o)
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $^ && $(RANLIB) $@

lib/libiotrace-so.a: $(dynamic_objects) $(so_objects) $(fortran_objects)
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $^ && $(RANLIB) $@

lib/libiotrace.so: lib/libiotrace-so.a
	$(LINK_SO)

lib/libiotrace-musl.a: $(musl_objects)
	@rm -f $@
	$(call say,AR)$(AR) cr $@ $(musl_objects) && $(RANLIB) $@

lib/obj/core-%.o: $(srcdir)/lib/core/%.c $(made_with) | lib/obj
	$(COMPILE)
lib/obj/arch-%.o: $(srcdir)/lib/arch/$(ARCH)/%.c $(made_with) | lib/obj
	$(COMPILE)
lib/obj/wrap-%.o: $(srcdir)/lib/wrap/%.c $(made_with) | lib/obj
	$(COMPILE)
lib/obj/fortran-%.o: $(srcdir)/fortran/%.c $(made_with) | lib/obj
	$(COMPILE)
lib/obj/%.o: lib/gen/%.c $(made_with) | lib/obj
	$(COMPILE)
lib/obj-dynamic/core-%.o: $(srcdir)/lib/core/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj-dynamic/arch-%.o: $(srcdir)/lib/arch/$(ARCH)/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj-dynamic/wrap-%.o: $(srcdir)/lib/wrap/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj/dispatch-%.o: $(srcdir)/lib/dispatch/%.c $(made_with) | lib/obj
	$(COMPILE)
lib/obj/faults-%.o: $(srcdir)/lib/faults/%.c $(made_with) | lib/obj
	$(COMPILE)
lib/obj-dynamic/dispatch-%.o: $(srcdir)/lib/dispatch/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj-dynamic/faults-%.o: $(srcdir)/lib/faults/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
# the names of versions: what changes there is linked again
lib/obj-dynamic/dynamic-old.o: lib/gen-dynamic/versions.map
lib/obj-dynamic/dynamic-%.o: $(srcdir)/lib/dynamic/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj-dynamic/fortran-%.o: $(srcdir)/fortran/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj-dynamic/names-of-%.o: lib/obj-dynamic/names-of-%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj-dynamic/%.o: lib/gen-dynamic/%.c $(made_with) | lib/obj-dynamic
	$(COMPILE_DYNAMIC)
lib/obj-musl/core-%.o: $(srcdir)/lib/core/%.c $(made_with) | lib/obj-musl
	$(COMPILE_MUSL)
lib/obj-musl/arch-%.o: $(srcdir)/lib/arch/$(ARCH)/%.c $(made_with) | lib/obj-musl
	$(COMPILE_MUSL)
lib/obj-musl/wrap-%.o: $(srcdir)/lib/wrap/%.c $(made_with) | lib/obj-musl
	$(COMPILE_MUSL)
lib/obj-musl/dispatch-%.o: $(srcdir)/lib/dispatch/%.c $(made_with) | lib/obj-musl
	$(COMPILE_MUSL)
lib/obj-musl/faults-%.o: $(srcdir)/lib/faults/%.c $(made_with) | lib/obj-musl
	$(COMPILE_MUSL)
lib/obj-musl/musl-%.o: $(srcdir)/lib/musl/%.c $(made_with) | lib/obj-musl
	$(COMPILE_MUSL)
lib/obj-musl/%.o: lib/gen-musl/%.c $(made_with) | lib/obj-musl
	$(COMPILE_MUSL)
lib/obj lib/obj-dynamic lib/obj-musl:
	mkdir -p $@
.PHONY: all

-include $(objects:.o=.d) $(fortran_objects:.o=.d) $(dynamic_objects:.o=.d) $(exe_objects:.o=.d) $(so_objects:.o=.d) $(musl_objects:.o=.d)
