#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/times.t with dynamic executables.
. "${0%/*}/../recorder/times.t"
