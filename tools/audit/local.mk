# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-audit
tools_iotrace_audit_SOURCES = \
	$(common_sources) \
	tools/audit/calls.c \
	tools/audit/cover.c \
	tools/audit/decode.c \
	tools/audit/elf.c \
	tools/audit/number.c \
	tools/audit/refs.c \
	tools/audit/report.c \
	tools/audit/symbols.c \
	tools/audit/trouble.c \
	tools/audit/audit.h \
	tools/audit/main.c
tools_iotrace_audit_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir) $(LIBELF_CFLAGS) $(CAPSTONE_CFLAGS)
tools_iotrace_audit_LDADD = $(LIBELF_LIBS) $(CAPSTONE_LIBS)
tools/audit/iotrace_audit-calls.$(OBJEXT): lib/calls-table.h
