#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/secure.t with dynamic executables.
. "${0%/*}/../recorder/secure.t"
