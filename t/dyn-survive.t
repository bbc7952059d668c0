#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/survive.t with dynamic executables.
. "${0%/*}/survive.t"
