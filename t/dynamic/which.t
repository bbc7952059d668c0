#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/which.t with dynamic executables.
. "${0%/*}/../recorder/which.t"
