#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/defaults.t with dynamic executables.
. "${0%/*}/../recorder/defaults.t"
