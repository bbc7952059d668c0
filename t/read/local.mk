# SPDX-License-Identifier: BSD-3-Clause
# The reader library.
TESTS += \
	t/read/again.t \
	t/read/between.t \
	t/read/copies.t \
	t/read/cut.t \
	t/read/examples.t \
	t/read/failing.t \
	t/read/ids.t \
	t/read/library.t \
	t/read/longer.t \
	t/read/many.t \
	t/read/overwritten.t \
	t/read/processes.t \
	t/read/scan.t \
	t/read/starved.t \
	t/read/went-on.t

EXTRA_DIST += \
	t/read/count.c \
	t/read/failing.c \
	t/read/installed.sh \
	t/read/numbers.txt

# Reads sets again, in part.
check_PROGRAMS += t/read/again
t_read_again_SOURCES = t/read/again.c
t_read_again_CPPFLAGS = $(AM_CPPFLAGS)
t_read_again_LDADD = reader/libiotrace-read.la

# Keeps copies of calls.
check_PROGRAMS += t/read/copies
t_read_copies_SOURCES = t/read/copies.c
t_read_copies_CPPFLAGS = $(AM_CPPFLAGS)
t_read_copies_LDADD = reader/libiotrace-read.la

# Checks the numbers that calls have.
check_PROGRAMS += t/read/ids
t_read_ids_SOURCES = t/read/ids.c
t_read_ids_CPPFLAGS = $(AM_CPPFLAGS)
t_read_ids_LDADD = reader/libiotrace-read.la

# Reads logs in both ways and compares.
check_PROGRAMS += t/read/scan
t_read_scan_SOURCES = t/read/scan.c
t_read_scan_CPPFLAGS = $(AM_CPPFLAGS)
t_read_scan_LDADD = reader/libiotrace-read.la

# Reads with less and less memory.
check_PROGRAMS += t/read/starved
t_read_starved_SOURCES = t/read/starved.c
t_read_starved_CPPFLAGS = $(AM_CPPFLAGS)
t_read_starved_LDADD = reader/libiotrace-read.la -lpthread

# Follows a log whose program goes on between any two reads.
check_PROGRAMS += t/read/between
t_read_between_SOURCES = t/read/between.c
t_read_between_CPPFLAGS = $(AM_CPPFLAGS)
t_read_between_LDADD = reader/libiotrace-read.la

# Follows a log whose window it changes.
check_PROGRAMS += t/read/longer
t_read_longer_SOURCES = t/read/longer.c
t_read_longer_CPPFLAGS = $(AM_CPPFLAGS)
t_read_longer_LDADD = reader/libiotrace-read.la

check_PROGRAMS += t/read/went-on
t_read_went_on_SOURCES = t/read/went-on.c
t_read_went_on_CPPFLAGS = $(AM_CPPFLAGS)
t_read_went_on_LDADD = reader/libiotrace-read.la
