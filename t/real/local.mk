# SPDX-License-Identifier: BSD-3-Clause
# Real programs, compared with what strace saw.  Those in EXTRA_DIST are run by check-real.
TESTS += \
	t/real/bzip2.t
EXTRA_DIST += \
	t/real/dash.t \
	t/real/fio.pl \
	t/real/gzip.t \
	t/real/lmdb.c \
	t/real/lua.t \
	t/real/sqlite3.t \
	t/real/stores.c \
	t/real/xz.t
