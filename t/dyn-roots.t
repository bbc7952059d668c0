#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/roots.t with dynamic executables.
. "${0%/*}/roots.t"
