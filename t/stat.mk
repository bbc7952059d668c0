# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat.  (t/lib/stat-sums also runs on the logs of all tests that compare with strace.)
TESTS += t/stat.t t/stat-kinds.t t/stat-large.t t/stat-strace.t
EXTRA_DIST += t/stat/strace.pl t/stat/work.c
