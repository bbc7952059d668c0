# SPDX-License-Identifier: BSD-3-Clause
# flags.mk - how what goes into the traced program is compiled.  Included by
# lib/archive.mk and mpi/archive.mk.
#
# Frame pointers, since stacks are walked from the wrappers outwards; exceptions,
# since calls may be left by them; nothing that would make it call what it stands
# in front of.
FLAGS = $(WARN) -O2 -fno-omit-frame-pointer -fexceptions -fasynchronous-unwind-tables \
	-fno-strict-aliasing -fno-stack-protector -fno-builtin-printf -fcf-protection=none \
	-U_FORTIFY_SOURCE -D_GNU_SOURCE '-DIOT_VERSION="$(VERSION)"' \
	-I$(srcdir)/include -I$(srcdir)/lib/core -I$(srcdir)/lib/wrap -I$(srcdir)/lib/arch/$(ARCH) -Ilib

static_flags = -fPIE -Ilib/gen
dynamic_flags = -fPIC -ftls-model=initial-exec -fvisibility=hidden -DIOT_DYNAMIC -Ilib/gen-dynamic -I$(srcdir)/lib/dynamic

# What the sources call of libc's, and the compiler by itself, and a program can have
# by these names: lib/core/bytes.c has our own.
private = memcpy memmove memset memcmp memchr strlen strnlen strcmp strncmp strchr strrchr \
	strspn strcspn strstr strcpy
# Functions lie together, apart from the program's: a forked child has them by few page faults,
# and readers know by where it lies what of a stack is ours.  CODE: where those lie that all
# children run.  An object that has two sections
# of a name can't get a symbol in the second (compiler-wrappers/direct.sh).
PRIVATE = $(OBJCOPY) $(LOCALS) --rename-section .text=$(or $(CODE),iot_text) --rename-section .text.unlikely=iot_text --rename-section .text.hot=iot_hot $(CONSTANTS) $(foreach name,$(private),--redefine-sym $(name)=iot_$(name))

# Objects are made anew if they would be made in another way than last time: obj/made-with says
# how that was.  makefile: which includes this one.
made_with = $(obj)/made-with
ifeq (,$(findstring n,$(firstword -$(MAKEFLAGS))))
$(shell mkdir -p $(obj))
$(file >$(made_with).new,$(CC) $(CFLAGS) $(FLAGS) $(static_flags) $(dynamic_flags) $(mpi_flags) $(MUSL_CC) $(DEFAULTS) $(DEFAULT_OFF) \
	$(shell cat $(srcdir)/lib/flags.mk $(makefile) | cksum))
$(shell cmp -s $(made_with).new $(made_with) || cp $(made_with).new $(made_with); rm -f $(made_with).new)
endif

say = $(if $(V:0=),,@echo "  $(1)       $@"; )
COMPILE = $(call say,CC)$(CC) $(CFLAGS) $(FLAGS) $(static_flags) -MD -MP -c -o $@ $< && $(PRIVATE) $@
COMPILE_DYNAMIC = $(call say,CC)$(CC) $(CFLAGS) $(FLAGS) $(dynamic_flags) -MD -MP -c -o $@ $< && \
	$(PRIVATE) --redefine-sym __gcc_personality_v0=iot_personality \
		--redefine-sym DW.ref.__gcc_personality_v0=DW.ref.iot_personality \
		--redefine-sym _Unwind_Resume=iot_unwind_resume $@

# In a dynamic executable nobody but the program has a --wrap: there __wrap_NAME and
# __real_NAME are names of the program's, and ours, of an object or an archive, are others.
LEAVE_NAMES = $(NM) $@ 2>/dev/null | sed -n 's/^.* __\(wrap_.*\)$$/__\1 iot_\1/p; s/^.* __\(real_.*\)$$/__\1 iot_\1/p' | \
	LC_ALL=C sort -u >$@.names && $(OBJCOPY) --redefine-syms=$@.names $@ && rm -f $@.names

# libiotrace.so, and that with MPI's wrappers: all of the archives that it is made of.  It begins before
# other libraries do (initfirst), since their constructors make calls.
LINK_SO = $(call say,LD)$(CC) $(CFLAGS) -shared -o $@ -Wl,--whole-archive $^ -Wl,--no-whole-archive \
	-Wl,-soname,$(@F) -Wl,--version-script=lib/gen-dynamic/versions.map -Wl,-z,now -Wl,-z,defs -Wl,-z,nodelete \
	-Wl,-z,initfirst -Wl,-z,start-stop-visibility=hidden

# What is linked in whole, as one object.  Nobody else looks a wrapper up by its own name:
# it has that of the call.  What only the object itself looks for is local, and strings are
# not to be merged with others: for each link that is as much work as for the program.
LINK_WHOLE = $(call say,LD)$(CC) -r -nostdlib -o $@ $^ && $(OBJCOPY) --wildcard --localize-symbol='__wrap_*' \
	--strip-unneeded-symbol='__wrap_*' --localize-symbol='iot_desc_*' \
	--localize-symbol='__real_*' --localize-symbol='!__real__gfortran*' --strip-symbol='*.c' \
	--set-section-flags '.rodata.str*=alloc,readonly,data,contents' --remove-section=.comment $@ && $(LEAVE_NAMES)
