#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/threads.t with dynamic executables.
. "${0%/*}/threads.t"
