#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/settings.t with dynamic executables.
. "${0%/*}/settings.t"
