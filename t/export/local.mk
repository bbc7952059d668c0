# SPDX-License-Identifier: BSD-3-Clause
# iotrace-export: what other tools read is what iotrace-stat says.
TESTS += \
	t/export/babeltrace.t \
	t/export/ctf.t \
	t/export/otf2.t \
	t/export/perfetto.t \
	t/export/sqlite.t
EXTRA_DIST += \
	t/export/ctf.py \
	t/export/hosts.pl \
	t/export/otf2.py \
	t/export/perfetto.py \
	t/export/queries.py \
	t/export/recorded.sh \
	t/export/sums.py
