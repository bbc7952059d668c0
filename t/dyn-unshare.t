#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/unshare.t with dynamic executables.
. "${0%/*}/unshare.t"
