# SPDX-License-Identifier: BSD-3-Clause
# A plug-in of babeltrace2, with which it reads logs.
if HAVE_BABELTRACE2
babeltraceplugin_LTLIBRARIES = tools/babeltrace/babeltrace-plugin-iotrace.la
tools_babeltrace_babeltrace_plugin_iotrace_la_SOURCES = \
	tools/babeltrace/plugin.c \
	tools/common/addr.c \
	tools/common/fields.c \
	tools/common/message.c \
	tools/common/out.c \
	tools/export/ctf-events.c \
	tools/export/dict.c \
	tools/export/tracks.c
tools_babeltrace_babeltrace_plugin_iotrace_la_CPPFLAGS = $(AM_CPPFLAGS) $(BABELTRACE2_CFLAGS)
tools_babeltrace_babeltrace_plugin_iotrace_la_LDFLAGS = -module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^(__bt_|bt_plugin_)'
# The reader's objects, and not the library, for which libtool would link the plug-in again to be
# installed, and refuse that with another prefix than configure's.
tools_babeltrace_babeltrace_plugin_iotrace_la_LIBADD = analysis/libiotrace-analysis.la \
	$(reader_libiotrace_read_la_OBJECTS) $(LIBDW_LIBS) $(LIBELF_LIBS) $(ZSTD_LIBS) $(LIBIBERTY_LIBS) \
	$(BABELTRACE2_LIBS)
endif
