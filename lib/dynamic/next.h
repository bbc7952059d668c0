/* SPDX-License-Identifier: BSD-3-Clause */
/* next.h - finding what a name means beyond the recorder. */
#ifndef IOT_NEXT_H
#define IOT_NEXT_H

#include <link.h>

#pragma GCC visibility push(hidden)

const struct r_debug *iot_loader(void);
void *iot_next(const char *name, const char *version);
void *iot_symbol_in(const struct link_map *map, const char *name, const char *version);

#pragma GCC visibility pop

#endif
