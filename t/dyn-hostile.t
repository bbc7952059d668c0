#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/hostile.t with dynamic executables.
. "${0%/*}/hostile.t"
