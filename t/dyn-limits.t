#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/limits.t with dynamic executables.
. "${0%/*}/limits.t"
