# SPDX-License-Identifier: BSD-3-Clause
# What calls add up to, and what stands out in them: private until its API has settled.
noinst_LTLIBRARIES += analysis/libiotrace-analysis.la
analysis_libiotrace_analysis_la_SOURCES = \
	analysis/analysis.h \
	analysis/bytes.c \
	analysis/columns.c \
	analysis/facts.c \
	analysis/file.c \
	analysis/internal.h \
	analysis/kind.c \
	analysis/kinds.def \
	analysis/memory.c \
	analysis/ops.c \
	analysis/parts.c \
	analysis/region.c \
	analysis/rows.c \
	analysis/site.c \
	analysis/sum.c \
	analysis/thread.c
