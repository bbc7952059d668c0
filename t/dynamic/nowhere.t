#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/nowhere.t with dynamic executables.
. "${0%/*}/../recorder/nowhere.t"
