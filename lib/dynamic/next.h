/* SPDX-License-Identifier: BSD-3-Clause */
/* next.h - finding what a name means beyond the recorder. */
#ifndef IOT_NEXT_H
#define IOT_NEXT_H

#include <link.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

const struct r_debug *iot_loader(void);
bool iot_is_own(const struct link_map *map);
bool iot_is_named(const struct link_map *map, const char *soname);
uintptr_t iot_dynamic_at(const struct link_map *map, uintptr_t a);
const struct link_map *iot_object_of(uintptr_t pc);
void *iot_next(const char *name, const char *version);
void *iot_programs_own(const char *name);
bool iot_refers(const struct link_map *map, const char *name, const char *version);
/* each(map, place, to) for every place in the object's memory that the loader fills with
   the address of what has that name */
void iot_each_use(const struct link_map *map, const char *name,
		  void (*each)(const struct link_map *map, uintptr_t place, uintptr_t to), uintptr_t to);
/* modules.c: from where to where the module with that address lies; false: there is none */
bool iot_module_of(uintptr_t at, uintptr_t *low, uintptr_t *high);
/* where the object's ELF header lies; 0: nobody knows */
uintptr_t iot_headers_of(const struct link_map *map);
void *iot_symbol_in(const struct link_map *map, const char *name, const char *version);

#pragma GCC visibility pop

#endif
