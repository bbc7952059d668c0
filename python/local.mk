# SPDX-License-Identifier: BSD-3-Clause
# iotrace.h's functions for Python: one file, of any version of it
iotpythondir = $(pkgdatadir)/python
dist_iotpython_DATA = python/iotrace.py
