#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/handlers.t with dynamic executables.
. "${0%/*}/../recorder/handlers.t"
