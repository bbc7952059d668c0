#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/numbers.t with dynamic executables.
. "${0%/*}/../recorder/numbers.t"
