#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/threads.t with dynamic executables.
. "${0%/*}/../recorder/threads.t"
