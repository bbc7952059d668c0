#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/numbers.t with dynamic executables.
. "${0%/*}/numbers.t"
