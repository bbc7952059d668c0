# SPDX-License-Identifier: BSD-3-Clause
# What tests share.
EXTRA_DIST += \
	t/lib/Agree.pm \
	t/lib/Beneath.pm \
	t/lib/CatTest.pm \
	t/lib/Frames.pm \
	t/lib/Lines.pm \
	t/lib/MkLog.pm \
	t/lib/Strace.pm \
	t/lib/driver.sh \
	t/lib/family.sh \
	t/lib/faults.sh \
	t/lib/flip-bits \
	t/lib/json.awk \
	t/lib/log-sizes \
	t/lib/may-skip.txt \
	t/lib/mpi-calls.awk \
	t/lib/mpi.sh \
	t/lib/openmpi.sh \
	t/lib/oracle \
	t/lib/python.sh \
	t/lib/real.sh \
	t/lib/recorder.sh \
	t/lib/stat-sums \
	t/lib/tap.sh
