#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/fork.t with dynamic executables.
. "${0%/*}/../recorder/fork.t"
