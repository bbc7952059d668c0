# SPDX-License-Identifier: BSD-3-Clause
# Programs with one fault each, the same without it, and clean ones: what iotrace-stat says
# of them.
TESTS += t/answers/answers.t
EXTRA_DIST += \
	t/answers/columns.c \
	t/answers/judge \
	t/answers/lookup.c \
	t/answers/mesh.c \
	t/answers/modules.c \
	t/answers/orders.c \
	t/answers/particles.c \
	t/answers/progress.c \
	t/answers/rates.c \
	t/answers/reached \
	t/answers/recent.c \
	t/answers/samples.c \
	t/answers/tokens.c \
	t/answers/verdict \
	t/answers/visits.c
