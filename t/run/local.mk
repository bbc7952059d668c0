# SPDX-License-Identifier: BSD-3-Clause
# iotrace run.
TESTS += \
	t/run/run.t \
	t/run/tls.t
