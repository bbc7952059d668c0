# SPDX-License-Identifier: BSD-3-Clause
# The compiler wrappers.
TESTS += \
	t/iocc/absent.t \
	t/iocc/args.t \
	t/iocc/bound.t \
	t/iocc/build.t \
	t/iocc/configured.t \
	t/iocc/flang.t \
	t/iocc/frame.t \
	t/iocc/incomplete.t \
	t/iocc/inputs.t \
	t/iocc/install.t \
	t/iocc/link-libraries.t \
	t/iocc/link-needed.t \
	t/iocc/link.t \
	t/iocc/names.t \
	t/iocc/own.t \
	t/iocc/sanitizer.t \
	t/iocc/wrap.t
