#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/seccomp.t with dynamic executables.
. "${0%/*}/seccomp.t"
