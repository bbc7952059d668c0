/* SPDX-License-Identifier: BSD-3-Clause */
/* sqlite-none.c - --to=sqlite where there is no SQLite. */
#include "config.h"

#include "export.h"

const struct format iot_export_sqlite = {.name = "sqlite", .missing = "SQLite (libsqlite3)"};
