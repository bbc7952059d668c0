# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# python.sh - what tests of programs in Python need: $src, their files; $run; $python3, Debian's
# unless IOT_PYTHON3 names another.  Included after tap.sh.

# shellcheck disable=SC2034,SC2154 # for those who include it; tap.sh sets it
src=$top_srcdir/t/python
run=$top_builddir/tools/iotrace-run
python3=${IOT_PYTHON3:-/usr/bin/python3}
[ -x "$python3" ] || skip_all "$python3: not there (Debian: python3)"
