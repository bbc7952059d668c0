#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/unshare.t with dynamic executables.
. "${0%/*}/../recorder/unshare.t"
