#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# t/recorder/settings.t with dynamic executables.
. "${0%/*}/../recorder/settings.t"
