# SPDX-License-Identifier: BSD-3-Clause
# Dynamic executables.
TESTS += t/dyn-calls.t t/dyn-hosts.t t/dyn-link.t t/run.t
EXTRA_DIST += t/dynamic/compare.pl t/dynamic/differences.txt
