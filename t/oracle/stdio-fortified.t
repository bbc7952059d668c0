#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The same programs by their other entry points: __fprintf_chk, __read_chk,
# __open_2 ...
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
family stdio -D_FORTIFY_SOURCE=2
done_testing
