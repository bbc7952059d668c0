#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/hostile.t with dynamic executables.
. "${0%/*}/../recorder/hostile.t"
