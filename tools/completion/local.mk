# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash: one file, and a link for each other command, since bash looks for a
# file of the command's name.
EXTRA_DIST += tools/completion/iotrace.in
CLEANFILES += tools/completion/iotrace
names_of = `$(SED) -n 's/.*ROW(.*"\(.*\)")$$/\1/p' $(1) | LC_ALL=C $(2) | tr '\n' ' ' | $(SED) 's/ $$//'`
tools/completion/iotrace: tools/completion/iotrace.in analysis/rules.list tools/cat/formats.list tools/export/formats.list table/families.def
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SED) \
		-e "s/@families@/`$(SED) -n 's/^IOT_FAMILY([A-Z]*, *\([a-z]*\),.*/\1/p' $(srcdir)/table/families.def | tr '\n' ' ' | $(SED) 's/ $$//'`/" \
		-e "s/@rules@/$(call names_of,analysis/rules.list,sort)/" \
		-e "s/@formats@/$(call names_of,tools/cat/formats.list,cat)/" \
		-e "s/@export_formats@/$(call names_of,tools/export/formats.list,cat)/" \
		$(srcdir)/tools/completion/iotrace.in >$@.tmp && mv $@.tmp $@

if BASH_COMPLETION
nodist_bashcompletion_DATA = tools/completion/iotrace
completion_links = \
	iotrace-audit \
	iotrace-cat \
	iotrace-ctl \
	iotrace-drop-cache \
	iotrace-export \
	iotrace-pack \
	iotrace-report \
	iotrace-run \
	iotrace-stat \
	iotrace-stat-mpich \
	iotrace-stat-openmpi \
	iotrace-warm \
	iocc \
	$(notdir $(iot_wrappers))
else
noinst_DATA += tools/completion/iotrace
completion_links =
endif

install-data-hook: install-completion
install-completion:
	@for name in $(completion_links); do \
		rm -f "$(DESTDIR)$(bashcompletiondir)/$$name" && \
		(cd "$(DESTDIR)$(bashcompletiondir)" && $(LN_S) iotrace "$$name") || exit 1; \
	done
uninstall-hook: uninstall-completion
uninstall-completion:
	@for name in $(completion_links); do \
		rm -f "$(DESTDIR)$(bashcompletiondir)/$$name"; \
	done
.PHONY: install-completion uninstall-completion
