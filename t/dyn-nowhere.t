#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/nowhere.t with dynamic executables.
. "${0%/*}/nowhere.t"
