/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * values.h - symbolic values as logs have them, IOT_VALUE_FCNTL_F_SETFL: those of the
 * processor that wrote the log, and not of the one that reads it.
 */
#ifndef IOT_VALUES_H
#define IOT_VALUES_H

enum {
#define IOT_SYM(kind, name, mask, value) IOT_VALUE_##kind##_##name = value,
#define IOT_BIT(kind, name, value) IOT_VALUE_##kind##_##name = value,
#define IOT_NUM(kind, name, value) IOT_VALUE_##kind##_##name = value,
#include "../../table/kinds.def"
};

#endif
