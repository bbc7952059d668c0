# SPDX-License-Identifier: BSD-3-Clause
# What calls add up to, and what stands out in them: private until its API has settled.
noinst_LTLIBRARIES += analysis/libiotrace-analysis.la
analysis_libiotrace_analysis_la_SOURCES = \
	analysis/analysis.h \
	analysis/bytes.c \
	analysis/columns.c \
	analysis/file.c \
	analysis/findings.c \
	analysis/internal.h \
	analysis/intervals.c \
	analysis/job.c \
	analysis/kind.c \
	analysis/kinds.def \
	analysis/memory.c \
	analysis/ops.c \
	analysis/parts.c \
	analysis/region.c \
	analysis/rows.c \
	analysis/rules.def \
	analysis/rules/failed.c \
	analysis/rules/idle_seeks.c \
	analysis/rules/incomplete.c \
	analysis/rules/interleaved.c \
	analysis/rules/reopened.c \
	analysis/rules/reread.c \
	analysis/rules/rules.h \
	analysis/rules/scattered.c \
	analysis/rules/searched.c \
	analysis/rules/slow.c \
	analysis/rules/small_reads.c \
	analysis/rules/small_writes.c \
	analysis/rules/sync.c \
	analysis/rules/unfinished.c \
	analysis/rules/unseen.c \
	analysis/site.c \
	analysis/spent.c \
	analysis/sum.c \
	analysis/thread.c
