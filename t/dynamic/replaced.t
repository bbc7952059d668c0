#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/replaced.t with dynamic executables.
. "${0%/*}/../recorder/replaced.t"
