# SPDX-License-Identifier: BSD-3-Clause
include tools/audit.mk
include tools/cat.mk
