# SPDX-License-Identifier: BSD-3-Clause
# The documentation, and rules that hold for all of the source.
TESTS += \
	t/doc/attributes.t \
	t/doc/compiler.t \
	t/doc/completion.t \
	t/doc/doc.t \
	t/doc/families.t \
	t/doc/findings.t \
	t/doc/recipes.t \
	t/doc/rules.t \
	t/doc/skips.t \
	t/doc/without.t
