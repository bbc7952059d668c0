# SPDX-License-Identifier: BSD-3-Clause
# Packed logs.
if HAVE_ZSTD
TESTS += t/pack-damage.t t/pack-file.t t/pack-logs.t
else
EXTRA_DIST += t/pack-damage.t t/pack-file.t t/pack-logs.t
endif
EXTRA_DIST += t/recorder/patterns.c
