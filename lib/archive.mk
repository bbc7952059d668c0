# SPDX-License-Identifier: BSD-3-Clause
# archive.mk - libiotrace.a.  Run by the build's Makefile in the build directory,
# with srcdir, CC, AR, RANLIB, CFLAGS, WARN and VERSION from there.
#
# The recorder's own flags: frame pointers, since stacks are walked from the
# wrappers outwards; exceptions, since calls may be left by them; nothing that
# would make it call what it stands in front of.
FLAGS = $(WARN) -O2 -fPIE -fno-omit-frame-pointer -fexceptions -fasynchronous-unwind-tables \
	-fno-strict-aliasing -fno-stack-protector -fno-builtin-printf -fcf-protection=none \
	-U_FORTIFY_SOURCE -D_GNU_SOURCE '-DIOT_VERSION="$(VERSION)"' \
	-I$(srcdir)/include -I$(srcdir)/lib/core -I$(srcdir)/lib/wrap -Ilib/gen

core = args config enter fds header leave log maps mem paths regex result seccomp stack sys thread window
by_hand = $(basename $(notdir $(wildcard $(srcdir)/lib/wrap/*.c)))
generated = $(basename $(shell cat lib/gen/sources))
objects = $(core:%=lib/obj/core-%.o) $(by_hand:%=lib/obj/wrap-%.o) $(generated:%=lib/obj/%.o)

COMPILE = $(if $(V:0=),,@echo "  CC       $@"; )$(CC) $(CFLAGS) $(FLAGS) -MD -MP -c -o $@ $<

lib/libiotrace.a: $(objects)
	@rm -f $@
	$(if $(V:0=),,@echo "  AR       $@"; )$(AR) cr $@ $(objects) && $(RANLIB) $@

lib/obj/core-%.o: $(srcdir)/lib/core/%.c lib/gen.stamp | lib/obj
	$(COMPILE)
lib/obj/wrap-%.o: $(srcdir)/lib/wrap/%.c lib/gen.stamp | lib/obj
	$(COMPILE)
lib/obj/%.o: lib/gen/%.c | lib/obj
	$(COMPILE)
lib/obj:
	mkdir -p $@

-include $(objects:.o=.d)
