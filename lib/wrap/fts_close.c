/* SPDX-License-Identifier: BSD-3-Clause */
/* fts_close.c - fts_close. */
#include "fts.h"

IOT_FTS(fts_close, fts64_close)
