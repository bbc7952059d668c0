# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash: one file, and a link for each other command, since bash looks for a
# file of the command's name.
if BASH_COMPLETION
dist_bashcompletion_DATA = tools/completion/iotrace
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
EXTRA_DIST += tools/completion/iotrace
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
