#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/clocks.t with dynamic executables.
. "${0%/*}/../recorder/clocks.t"
