# SPDX-License-Identifier: BSD-3-Clause
# Packed logs.
if HAVE_ZSTD
check_PROGRAMS += t/fuzz/replay-pack
t_fuzz_replay_pack_SOURCES = t/fuzz/fuzz-pack.c t/fuzz/fuzz.h t/fuzz/replay.c
t_fuzz_replay_pack_CPPFLAGS = $(AM_CPPFLAGS)
t_fuzz_replay_pack_LDADD = reader/libiotrace-read.la
TESTS += t/pack/damage.t t/pack/file.t t/pack/logs.t
else
EXTRA_DIST += t/pack/damage.t t/pack/file.t t/pack/logs.t
endif
EXTRA_DIST += t/recorder/patterns.c
