#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/survive-threads.t with dynamic executables.
. "${0%/*}/../recorder/survive-threads.t"
