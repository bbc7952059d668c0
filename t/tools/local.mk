# SPDX-License-Identifier: BSD-3-Clause
# What all tools have in common: options, messages, exit statuses.
TESTS += \
	t/tools/cache.t \
	t/tools/colour.t \
	t/tools/controls.t \
	t/tools/logs.t \
	t/tools/manners.t \
	t/tools/screen.t
