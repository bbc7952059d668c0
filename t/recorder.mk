# SPDX-License-Identifier: BSD-3-Clause
# The recorder: its settings, what it survives, and that the program does not notice.
TESTS += t/regex.t t/settings.t t/survive.t
EXTRA_DIST += t/lib/recorder.sh t/recorder/ending.c t/recorder/regex.c t/recorder/settings.c
