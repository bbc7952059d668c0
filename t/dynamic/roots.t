#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/roots.t with dynamic executables.
. "${0%/*}/../recorder/roots.t"
