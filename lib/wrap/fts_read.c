/* SPDX-License-Identifier: BSD-3-Clause */
/* fts_read.c - fts_read. */
#include "fts.h"

IOT_FTS(fts_read, fts64_read)
