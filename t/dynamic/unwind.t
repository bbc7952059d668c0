#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/stacks/unwind.t with dynamic executables.
. "${0%/*}/../stacks/unwind.t"
