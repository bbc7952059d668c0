#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/handlers.t with dynamic executables.
. "${0%/*}/handlers.t"
