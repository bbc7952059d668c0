#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/unwind.t with dynamic executables.
. "${0%/*}/unwind.t"
