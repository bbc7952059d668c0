/* SPDX-License-Identifier: BSD-3-Clause */
/* sigbus.h - a store to the mapped log that finds no page: sigbus.c. */
#ifndef IOT_SIGBUS_H
#define IOT_SIGBUS_H

#pragma GCC visibility push(hidden)

void iot_bus_start(void);

#pragma GCC visibility pop

#endif
