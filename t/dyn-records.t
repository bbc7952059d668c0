#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/records.t with dynamic executables.
. "${0%/*}/records.t"
