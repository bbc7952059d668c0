#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/survive-threads.t with dynamic executables.
. "${0%/*}/survive-threads.t"
