# SPDX-License-Identifier: BSD-3-Clause
# Dynamic executables.
TESTS += t/dyn-link.t t/run.t
