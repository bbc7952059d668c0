#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/memory.t with dynamic executables.
. "${0%/*}/../recorder/memory.t"
