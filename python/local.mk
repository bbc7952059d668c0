# SPDX-License-Identifier: BSD-3-Clause
# iotrace.h's functions, and logs as data frames, for Python of any version
iotpythondir = $(pkgdatadir)/python
dist_iotpython_DATA = python/iotrace.py python/iotrace_read.py
