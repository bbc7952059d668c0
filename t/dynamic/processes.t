#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/processes.t with dynamic executables.
. "${0%/*}/../recorder/processes.t"
