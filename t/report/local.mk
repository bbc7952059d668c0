# SPDX-License-Identifier: BSD-3-Clause
# Pages of iotrace-report.
TESTS += t/report/browser.t t/report/db.t t/report/mpi.t t/report/page.t t/report/serve.t
EXTRA_DIST += t/report/Page.pm t/report/access.py t/report/arcs.py t/report/assertions.py t/report/browser.py t/report/db.py t/report/flights.c t/report/late.c t/report/look_compared.py t/report/look_files.py t/report/look_lines.py t/report/look_mpi.py t/report/look_saved.py t/report/look_served.py t/report/look_summary.py t/report/look_time.py t/report/look_whole.py t/report/marionette.py t/report/mpi.py t/report/onfiles.py t/report/page.pl t/report/pagedata.py t/report/program.c t/report/reads.py t/report/serve.py t/report/server.py t/report/tab.py t/report/talker.c t/report/unnamed.py
