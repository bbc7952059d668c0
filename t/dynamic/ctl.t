#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/ctl.t with dynamic executables.
. "${0%/*}/../recorder/ctl.t"
