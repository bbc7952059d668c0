#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/append.t with dynamic executables.
. "${0%/*}/append.t"
