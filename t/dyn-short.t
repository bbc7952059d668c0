#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/short.t with dynamic executables.
. "${0%/*}/short.t"
