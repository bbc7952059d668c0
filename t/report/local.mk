# SPDX-License-Identifier: BSD-3-Clause
# Pages of iotrace-report.
TESTS += t/report/browser.t t/report/page.t
EXTRA_DIST += t/report/browser.py t/report/page.pl t/report/program.c
