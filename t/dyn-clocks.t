#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/clocks.t with dynamic executables.
. "${0%/*}/clocks.t"
