# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-ctl
tools_iotrace_ctl_SOURCES = \
	$(common_sources) \
	tools/ctl/find.c \
	tools/ctl/find.h \
	tools/ctl/main.c
