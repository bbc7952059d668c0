#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/records.t with dynamic executables.
. "${0%/*}/../recorder/records.t"
