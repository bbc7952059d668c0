# SPDX-License-Identifier: BSD-3-Clause
# Tests of the reader library and iotrace-cat, on logs that t/lib/MkLog.pm makes.
TESTS += t/cat-text.t
EXTRA_DIST += t/lib/MkLog.pm t/lib/CatTest.pm
