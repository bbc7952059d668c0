# SPDX-License-Identifier: BSD-3-Clause
# The recorder: its settings, what it survives, and that the program does not notice.
TESTS += t/regex.t
EXTRA_DIST += t/recorder/regex.c
