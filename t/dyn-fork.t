#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/fork.t with dynamic executables.
. "${0%/*}/fork.t"
