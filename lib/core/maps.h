/* SPDX-License-Identifier: BSD-3-Clause */
/* maps.h - which code lay where: maps.c. */
#ifndef IOT_MAPS_H
#define IOT_MAPS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;

void iot_maps_define(struct iot_thread *t, uint64_t since);
void iot_maps_define_first(struct iot_thread *t);
void iot_maps_constants(void);
void iot_maps_lines(const char *path, char *buf, uint32_t size, void (*each)(char *, char *, void *), void *arg);
/* The same for /proc/PID/maps. */
void iot_maps_of(uint64_t pid, char *buf, uint32_t size, void (*each)(char *, char *, void *), void *arg);
/* A library has been unmapped: what lies in its place may be another one, or the file have been written anew. */
void iot_maps_closed(void);
void iot_maps_forget(void);
void iot_maps_forked(void);

#pragma GCC visibility pop

#endif
