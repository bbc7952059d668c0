# SPDX-License-Identifier: BSD-3-Clause
# Models of the order in which the recorder stores things.
TESTS += \
	t/model/model.t
EXTRA_DIST += \
	t/model/after.pml \
	t/model/elsewhere.pml \
	t/model/fd.pml \
	t/model/follow.pml \
	t/model/log.pml \
	t/model/move.pml \
	t/model/ring.pml \
	t/model/take.pml
