#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/secure.t with dynamic executables.
. "${0%/*}/secure.t"
