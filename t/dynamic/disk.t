#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/disk.t with dynamic executables.
. "${0%/*}/../recorder/disk.t"
