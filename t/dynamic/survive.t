#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/survive.t with dynamic executables.
. "${0%/*}/../recorder/survive.t"
