# SPDX-License-Identifier: BSD-3-Clause
# Requests to io_urings.
TESTS += \
	t/uring/every.t \
	t/uring/setups.t \
	t/uring/uring.t \
	t/uring/watch.t
EXTRA_DIST += \
	t/uring/agree.pl \
	t/uring/call.h \
	t/uring/every.c \
	t/uring/forms.sh \
	t/uring/latest.c \
	t/uring/mix.c \
	t/uring/newer.c \
	t/uring/no-row.txt \
	t/uring/raw.c \
	t/uring/resize.c \
	t/uring/ring.h \
	t/uring/setups.c \
	t/uring/special.c \
	t/uring/watch.c \
	t/uring/within.c
