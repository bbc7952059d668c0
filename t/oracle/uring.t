#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
family uring
done_testing
