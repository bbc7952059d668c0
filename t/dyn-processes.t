#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/processes.t with dynamic executables.
. "${0%/*}/processes.t"
