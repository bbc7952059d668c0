# SPDX-License-Identifier: BSD-3-Clause
# Programs that random testing found to fail once.
EXTRA_DIST += \
	t/found/found.c
