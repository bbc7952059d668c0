# SPDX-License-Identifier: BSD-3-Clause
# The documentation, and rules that hold for all of the source.
TESTS += t/doc.t t/rules.t
