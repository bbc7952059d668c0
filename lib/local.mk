# SPDX-License-Identifier: BSD-3-Clause
# The recorder: libiotrace.a, the linker's list of names, and what gen.awk makes
# of calls.def.  A wrapper is an archive member of its own, so that a program
# only grows by what it uses; which there are depends on libc.a, so that make
# learns it from the generator.
EXTRA_DIST += \
	lib/arch/x86_64/arch-access.h \
	lib/arch/x86_64/arch-cpu.h \
	lib/arch/x86_64/arch-jump.h \
	lib/arch/x86_64/arch-machine.h \
	lib/arch/x86_64/arch-return.h \
	lib/arch/x86_64/arch-stub.h \
	lib/arch/x86_64/arch-syscalls.h \
	lib/arch/x86_64/arch-unwind.h \
	lib/arch/x86_64/arch-vfork.h \
	lib/arch/x86_64/leap.c \
	lib/arch/x86_64/syscall.c \
	lib/arch/x86_64/task.c \
	lib/archive.mk \
	lib/bind.c \
	lib/core/abandon.c \
	lib/core/abandon.h \
	lib/core/ancestors.c \
	lib/core/ancestors.h \
	lib/core/anchor.c \
	lib/core/anchor.h \
	lib/core/arena.c \
	lib/core/arena.h \
	lib/core/arg-structs.c \
	lib/core/arg-structs.h \
	lib/core/args.c \
	lib/core/aside.c \
	lib/core/aside.h \
	lib/core/attach.c \
	lib/core/attach.h \
	lib/core/auxv.c \
	lib/core/auxv.h \
	lib/core/bytes.c \
	lib/core/bytes.h \
	lib/core/cache.c \
	lib/core/cache.h \
	lib/core/call.h \
	lib/core/compiler.h \
	lib/core/conf.h \
	lib/core/config.c \
	lib/core/defaults.c \
	lib/core/defaults.h \
	lib/core/desc.h \
	lib/core/directory.c \
	lib/core/directory.h \
	lib/core/each-process.h \
	lib/core/effect.c \
	lib/core/effect.h \
	lib/core/encode.c \
	lib/core/encode.h \
	lib/core/enter.c \
	lib/core/fds.c \
	lib/core/fds.h \
	lib/core/fetch.c \
	lib/core/fetch.h \
	lib/core/filesystem.c \
	lib/core/filesystem.h \
	lib/core/for-jobs.c \
	lib/core/for-jobs.h \
	lib/core/fork.c \
	lib/core/fork.h \
	lib/core/gate.c \
	lib/core/gate.h \
	lib/core/hooks.h \
	lib/core/host.c \
	lib/core/host.h \
	lib/core/hot.h \
	lib/core/leave.c \
	lib/core/lend.c \
	lib/core/lend.h \
	lib/core/libc.h \
	lib/core/log-header.c \
	lib/core/log-header.h \
	lib/core/log-share.c \
	lib/core/log-share.h \
	lib/core/log-space.c \
	lib/core/log-space.h \
	lib/core/log.c \
	lib/core/log.h \
	lib/core/logfd.c \
	lib/core/logfd.h \
	lib/core/lost.c \
	lib/core/lost.h \
	lib/core/mapped.c \
	lib/core/mapped.h \
	lib/core/maps.c \
	lib/core/maps.h \
	lib/core/moved.c \
	lib/core/moved.h \
	lib/core/mpi-own.c \
	lib/core/mpi-own.h \
	lib/core/opened.c \
	lib/core/opened.h \
	lib/core/own-proc.h \
	lib/core/own-task.c \
	lib/core/own-task.h \
	lib/core/passed-fds.c \
	lib/core/passed-fds.h \
	lib/core/line.c \
	lib/core/line.h \
	lib/core/operation.c \
	lib/core/operation.h \
	lib/core/paths.c \
	lib/core/paths.h \
	lib/core/places.c \
	lib/core/places.h \
	lib/core/pool.c \
	lib/core/pool.h \
	lib/core/python-code.c \
	lib/core/python-frames.h \
	lib/core/python-layout.c \
	lib/core/python.c \
	lib/core/python.h \
	lib/core/queue.c \
	lib/core/queue.h \
	lib/core/rank.c \
	lib/core/rank.h \
	lib/core/record-draft.h \
	lib/core/regex.c \
	lib/core/regex.h \
	lib/core/report.c \
	lib/core/report.h \
	lib/core/result.c \
	lib/core/result.h \
	lib/core/seccomp.c \
	lib/core/seccomp.h \
	lib/core/seen.h \
	lib/core/setting.c \
	lib/core/setting.def \
	lib/core/setting.h \
	lib/core/shared-tls-begin.c \
	lib/core/shared-tls.c \
	lib/core/shared-tls.h \
	lib/core/sigbus.c \
	lib/core/sigbus.h \
	lib/core/slow-disk.c \
	lib/core/slow-disk.h \
	lib/core/stack-tree.c \
	lib/core/stack-tree.h \
	lib/core/stack.c \
	lib/core/stack.h \
	lib/core/start.c \
	lib/core/start.h \
	lib/core/state.c \
	lib/core/state.h \
	lib/core/sys.c \
	lib/core/sys.h \
	lib/core/syscall-numbers.h \
	lib/core/taken-fds.c \
	lib/core/taken-fds.h \
	lib/core/text.c \
	lib/core/text.h \
	lib/core/thread-memory.c \
	lib/core/thread-memory.h \
	lib/core/thread.c \
	lib/core/thread.h \
	lib/core/unrecorded.c \
	lib/core/unrecorded.h \
	lib/core/unwind-calls.c \
	lib/core/unwind-cfi.c \
	lib/core/unwind-rules.c \
	lib/core/unwind-static.c \
	lib/core/unwind.h \
	lib/core/usage.c \
	lib/core/usage.h \
	lib/core/vdso-clock.c \
	lib/core/vdso-clock.h \
	lib/core/walk.c \
	lib/core/walk.h \
	lib/core/window-pool.c \
	lib/core/window-pool.h \
	lib/core/window-seal.c \
	lib/core/window.c \
	lib/core/window.h \
	lib/dispatch/altstack.c \
	lib/dispatch/dispatch.c \
	lib/dispatch/dispatch.h \
	lib/dispatch/filter.c \
	lib/dispatch/machine.h \
	lib/dispatch/memory.c \
	lib/dispatch/process.c \
	lib/dispatch/signals.c \
	lib/dispatch/stranger.c \
	lib/dynamic/beneath.c \
	lib/dynamic/child-command.c \
	lib/dynamic/child-env.c \
	lib/dynamic/counted.c \
	lib/dynamic/error.c \
	lib/dynamic/host.c \
	lib/dynamic/in-executable.c \
	lib/dynamic/in-library.c \
	lib/dynamic/modules.c \
	lib/dynamic/next.c \
	lib/dynamic/next.h \
	lib/dynamic/old.c \
	lib/dynamic/stream.c \
	lib/dynamic/stream.h \
	lib/dynamic/stubs.c \
	lib/dynamic/unseen.c \
	lib/dynamic/unwind.c \
	lib/dynamic/users.c \
	lib/dynamic/variant.h \
	lib/faults/areas.c \
	lib/faults/before.c \
	lib/faults/callers.c \
	lib/faults/code.c \
	lib/faults/faults.c \
	lib/faults/faults.h \
	lib/faults/helper.c \
	lib/faults/pages.c \
	lib/faults/perf-abi.h \
	lib/faults/ring.c \
	lib/faults/store.c \
	lib/flags.mk \
	lib/wrap/_Fork.c \
	lib/wrap/_exit.c \
	lib/wrap/caller.c \
	lib/wrap/child-env.c \
	lib/wrap/child-env.h \
	lib/wrap/child.h \
	lib/wrap/clone.c \
	lib/wrap/clone3.c \
	lib/wrap/close.c \
	lib/wrap/close_range.c \
	lib/wrap/closefrom.c \
	lib/wrap/daemon.c \
	lib/wrap/dlsym.c \
	lib/wrap/dup2.c \
	lib/wrap/dup3.c \
	lib/wrap/dup3.h \
	lib/wrap/execl.c \
	lib/wrap/execl.h \
	lib/wrap/execle.c \
	lib/wrap/execlp.c \
	lib/wrap/fork.c \
	lib/wrap/fts.h \
	lib/wrap/fts_children.c \
	lib/wrap/fts_close.c \
	lib/wrap/fts_read.c \
	lib/wrap/io_cancel.c \
	lib/wrap/io_destroy.c \
	lib/wrap/io_getevents.c \
	lib/wrap/io_pgetevents.c \
	lib/wrap/io_setup.c \
	lib/wrap/io_submit.c \
	lib/wrap/io_uring_wait_cqe.c \
	lib/wrap/jump.h \
	lib/wrap/libaio.h \
	lib/wrap/linux-aio.c \
	lib/wrap/linux-ring.c \
	lib/wrap/linux-ring.h \
	lib/wrap/linux-submits.c \
	lib/wrap/linux-submits.h \
	lib/wrap/longjmp.c \
	lib/wrap/longjmp_chk.c \
	lib/wrap/nftw.c \
	lib/wrap/origin.c \
	lib/wrap/posix-aio.c \
	lib/wrap/posix-aio.h \
	lib/wrap/prctl.c \
	lib/wrap/pthread_create.c \
	lib/wrap/raw.c \
	lib/wrap/raw.h \
	lib/wrap/requests.c \
	lib/wrap/requests.h \
	lib/wrap/syscall.c \
	lib/wrap/uring-abi.h \
	lib/wrap/uring-complete.c \
	lib/wrap/uring-held.c \
	lib/wrap/uring-files.c \
	lib/wrap/uring-quiet.c \
	lib/wrap/uring-raw.c \
	lib/wrap/uring-record.c \
	lib/wrap/uring-register.c \
	lib/wrap/uring-ring.c \
	lib/wrap/uring-ring.h \
	lib/wrap/uring-shared.c \
	lib/wrap/uring-submit.c \
	lib/wrap/uring-watch.c \
	lib/wrap/uring.c \
	lib/wrap/uring.h \
	lib/wrap/user.c \
	lib/wrap/vfork.c \
	lib/wrap/vfork.h \
	lib/wrap/wrap.h

include_HEADERS += include/iotrace-format.h include/iotrace-record.h include/iotrace.h

iotlibdir = $(pkglibdir)
iot_dynamic_lists = lib/dynamic.list lib/dynamic-fortran.list lib/dynamic-libaio.list lib/dynamic-liburing.list
iotlib_DATA = lib/libiotrace.a lib/wrap.list lib/libiotrace-dynamic.a $(iot_dynamic_lists) lib/libiotrace.so \
	lib/libiotrace-dynamic-libaio.a lib/libiotrace-dynamic-liburing.a \
	lib/libiotrace-dynamic-fortran.a lib/libiotrace-sanitized.a lib/libiotrace-fortran.a lib/fortran.list lib/libaio.list lib/liburing.list \
	$(iot_musl)
if HAVE_MUSL
iot_musl = lib/libiotrace-musl.a lib/wrap-musl.list
iot_musl_cc = $(IOT_MUSL_CC)
endif

# musl: its differences, and the kernel's headers, which it comes without
EXTRA_DIST += \
	lib/musl/__clone.c \
	lib/musl/__stdio_close.c \
	lib/musl/__stdio_read.c \
	lib/musl/__stdio_write.c \
	lib/musl/__stdout_write.c \
	lib/musl/differs.h \
	lib/musl/dup3.c \
	lib/musl/fdopen.c \
	lib/musl/fopen.c \
	lib/musl/freopen.c \
	lib/musl/inside.c \
	lib/musl/inside.h \
	lib/musl/isatty.c \
	lib/musl/pclose.c \
	lib/musl/popen.c \
	lib/musl/readdir.c \
	lib/musl/remove.c \
	lib/musl/terminal.h \
	lib/musl/tmpfile.c \
	m4/musl-check.c

# dynamic.names: what a dynamic executable exports of ours; dynamic.list: of that, what the
# linker has to be told, since libc.so has nothing of that name that would be overridden; a
# library's functions, which are not linked to programs that lack it, in dynamic-LIBRARY.list.
# It compares each name of libc's with a list, if there is one.
lib/gen.stamp: $(gen_awk) $(templates) table/call-names.awk $(iot_kinds) $(iot_calls) table/musl.def $(IOT_LIBC_A) $(IOT_LIBC_SO) $(IOT_MUSL_LIBC_A) \
	config.status $(srcdir)/lib/local.mk $(srcdir)/table/local.mk
	$(AM_V_GEN)$(call make_anew,lib/gen) && \
	LC_ALL=C $(NM) -A -f sysv -g --defined-only $(IOT_LIBC_A) >lib/libc.names 2>/dev/null && \
	$(run_gen_awk) -v out=lib/gen $(iot_kinds:%=$(srcdir)/%) lib/libc.names $(iot_calls:%=$(srcdir)/%) && \
	LC_ALL=C sort -u lib/gen/wrap.list >lib/wrap.list && \
	$(SED) -n '/=_*io_uring_/p' lib/wrap.list >lib/liburing.list && \
	LC_ALL=C $(AWK) -v form=hashes -f $(srcdir)/table/call-names.awk $(iot_calls:%=$(srcdir)/%) >lib/gen/call-hashes.h && \
	for file in calls-table.h call-hashes.h; do cmp -s lib/gen/$$file lib/$$file || cp lib/gen/$$file lib/ || exit 1; done && \
	LC_ALL=C sed 's/^/--wrap=/' lib/gen/extern-names-fortran >lib/fortran.list && \
	LC_ALL=C sed 's/^/--wrap=/' lib/gen/extern-names-aio >lib/libaio.list && \
	$(call make_anew,lib/gen-dynamic) && \
	LC_ALL=C $(NM) -D --defined-only $(IOT_LIBC_SO) >lib/libc-so.names && \
	n= && for so in $(IOT_LIBC_BESIDE); do \
		n=1$$n; LC_ALL=C $(NM) -D --defined-only $$so | $(SED) -n "/@@/s/^/$$n/p" >>lib/libc-so.names || exit 1; \
	done && \
	$(run_gen_awk) -v out=lib/gen-dynamic -v form=dynamic $(iot_kinds:%=$(srcdir)/%) lib/libc-so.names \
		$(iot_calls:%=$(srcdir)/%) && \
	{ $(SED) 's/^\t//; s/;//' lib/gen-dynamic/wrap.list; echo iot_recorder; echo iot_user; } | LC_ALL=C sort -u >lib/dynamic.names && \
	$(AWK) 'FILENAME == "lib/libc-so.names" { if (length($$1) == 16 && sub(/@@.*/, "")) libcs[$$NF]; next } \
		FILENAME == "lib/gen/extern-names-fortran" { library[$$1] = "-fortran"; next } \
		FILENAME == "lib/gen/extern-names-aio" { library[$$1] = "-libaio"; next } \
		$$1 in libcs { next } \
		/^_*io_uring_/ { library[$$1] = "-liburing" } \
		{ list[library[$$1]] = list[library[$$1]] "\t" $$1 ";\n" } \
		END { for (of in list) printf "{\n%s};\n", list[of] >("lib/dynamic" of ".list") }' \
		lib/libc-so.names lib/gen/extern-names-fortran lib/gen/extern-names-aio lib/dynamic.names && \
	$(call keep_same,lib/gen) && $(call keep_same,lib/gen-dynamic)
if HAVE_MUSL
	$(AM_V_at)$(call make_anew,lib/gen-musl) && $(MKDIR_P) lib/gen-musl/kernel && \
	LC_ALL=C $(NM) -A -f sysv -g --defined-only $(IOT_MUSL_LIBC_A) >lib/libc-musl.names 2>/dev/null && \
	$(run_gen_awk) -v out=lib/gen-musl -v form=musl $(iot_kinds:%=$(srcdir)/%) lib/libc-musl.names \
		$(iot_calls:%=$(srcdir)/%) $(srcdir)/table/musl.def && \
	LC_ALL=C sort -u lib/gen-musl/wrap.list >lib/wrap-musl.list && \
	for h in linux/audit.h asm/unistd.h asm-generic/errno.h; do \
		f=`echo "#include <$$h>" | $(CC) -E - | $(SED) -n "s,^# 1 \"\(/.*\)/$${h#*/}\".*,\1,p" | $(SED) 1q` && \
		ln -s "$$f" "lib/gen-musl/kernel/$${h%/*}" || exit 1; \
	done && $(call keep_same,lib/gen-musl)
endif
	$(AM_V_at)touch $@
lib/wrap.list $(iot_dynamic_lists) lib/dynamic.names lib/wrap-musl.list lib/fortran.list lib/libaio.list lib/liburing.list lib/calls-table.h lib/call-hashes.h: lib/gen.stamp

# A make of its own: automake has to know its sources before libc.a is read.
# It has its own dependencies, so it is asked each time.
lib/libiotrace.a lib/libiotrace-dynamic.a lib/libiotrace-dynamic-libaio.a lib/libiotrace-dynamic-liburing.a \
	lib/libiotrace.so lib/libiotrace-dynamic-fortran.a lib/libiotrace-sanitized.a lib/libiotrace-fortran.a $(iot_musl): \
	lib/gen.stamp iot-archive
	@:
iot-archive: lib/gen.stamp
	@$(MAKE) $(AM_MAKEFLAGS) --no-print-directory -f $(srcdir)/lib/archive.mk \
		srcdir='$(srcdir)' ARCH='$(IOT_ARCH)' CC='$(CC)' AR='$(AR)' NM='$(NM)' RANLIB='$(RANLIB)' OBJCOPY='$(OBJCOPY)' CFLAGS='$(IOT_RECORDER_CFLAGS)' \
		WARN='$(IOT_CFLAGS)' VERSION='$(PACKAGE_VERSION)' DEFAULTS='$(IOT_DEFAULTS)' DEFAULT_OFF='$(IOT_DEFAULT_OFF)' V='$(V)' MUSL_CC='$(iot_musl_cc)'
.PHONY: iot-archive

BUILT_SOURCES += lib/gen.stamp
# what is installed, and what comes about on the way
CLEANFILES += $(iotlib_DATA) lib/gen.stamp lib/libc.names lib/libc-so.names lib/libc-musl.names lib/dynamic.names \
	lib/bind lib/call-hashes.h lib/calls-table.h lib/libiotrace-so.a
clean-local: clean-recorder
clean-recorder:
	rm -rf lib/gen lib/gen-dynamic lib/gen-musl lib/obj lib/obj-dynamic lib/obj-musl
.PHONY: clean-recorder
