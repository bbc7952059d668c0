#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/disk.t with dynamic executables.
. "${0%/*}/disk.t"
