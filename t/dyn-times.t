#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/times.t with dynamic executables.
. "${0%/*}/times.t"
