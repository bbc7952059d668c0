# SPDX-License-Identifier: BSD-3-Clause
# iotrace-cat, on logs that t/lib/MkLog.pm makes.
TESTS += \
	t/cat/about.t \
	t/cat/damage.t \
	t/cat/filter.t \
	t/cat/follow.t \
	t/cat/formats.t \
	t/cat/fuzz.t \
	t/cat/job.t \
	t/cat/json.t \
	t/cat/large.t \
	t/cat/order.t \
	t/cat/overwritten.t \
	t/cat/progress.t \
	t/cat/rank.t \
	t/cat/raw-names.t \
	t/cat/stack.t \
	t/cat/stacks.t \
	t/cat/text.t
