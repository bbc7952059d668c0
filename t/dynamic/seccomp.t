#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/seccomp.t with dynamic executables.
. "${0%/*}/../recorder/seccomp.t"
