#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
family above
"$IOTRACE_CAT" -e wordexp "$T/logs" >"$T/text"
like 'a parameter that has the name of what the wrapper keeps them in' "$T/text" 'wordexp\("some \*", 0x'
done_testing
