#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/short.t with dynamic executables.
. "${0%/*}/../recorder/short.t"
