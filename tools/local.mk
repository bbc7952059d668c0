# SPDX-License-Identifier: BSD-3-Clause
# What all tools have in common
common_sources = \
	tools/common/message.c \
	tools/common/message.h \
	tools/common/option.c \
	tools/common/option.h \
	tools/common/out.c \
	tools/common/out.h

# And those that read logs, also from databases
tool_sources = \
	$(common_sources) \
	tools/common/database.h \
	tools/common/filter.c \
	tools/common/logs.c \
	tools/common/logs.h \
	tools/common/moment.c \
	tools/common/progress.c \
	tools/common/screen.c \
	tools/common/screen.h \
	tools/common/tool.c \
	tools/common/tool.h \
	tools/common/unnamed.c \
	tools/common/unnamed.h \
	tools/common/values.h
if HAVE_SQLITE
tool_sources += tools/common/database.c
else
tool_sources += tools/common/database-none.c
endif

# The names that -e takes
BUILT_SOURCES += tools/common/filter-names.h
CLEANFILES += tools/common/filter-names.h
tools/common/filter-names.h: table/call-names.awk table/calls.def
	$(AM_V_GEN)$(MKDIR_P) tools/common && \
	$(AWK) -v form=strings -f $(srcdir)/table/call-names.awk table/calls.def >$@.tmp && mv $@.tmp $@

include tools/audit/local.mk
include tools/babeltrace/local.mk
include tools/cache/local.mk
include tools/cat/local.mk
include tools/completion/local.mk
include tools/ctl/local.mk
include tools/export/local.mk
include tools/pack/local.mk
include tools/report/local.mk
include tools/run/local.mk
include tools/stat/local.mk
