#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/append.t with dynamic executables.
. "${0%/*}/../recorder/append.t"
