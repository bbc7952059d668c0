#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/limits.t with dynamic executables.
. "${0%/*}/../recorder/limits.t"
