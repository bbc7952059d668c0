#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/memory.t with dynamic executables.
. "${0%/*}/memory.t"
