/* SPDX-License-Identifier: BSD-3-Clause */
/* fts_children.c - fts_children. */
#include "fts.h"

IOT_FTS(fts_children, fts64_children)
