/* SPDX-License-Identifier: BSD-3-Clause */
/* defaults.h - the file of settings that the machine's administrator keeps. */
#ifndef IOT_DEFAULTS_H
#define IOT_DEFAULTS_H

#include <stdbool.h>

#include "setting.h"

struct iot_default {
	const char *value;		/* NULL: the file does not have it */
	bool final;			/* the environment does not count */
	bool most;			/* it counts if it asks for no more */
};

#pragma GCC visibility push(hidden)
/* Reads the file, if there is one and it is root's alone, once. */
void iot_defaults_read(struct iot_default to[IOT_N_SETTINGS]);
extern const char iot_defaults_file[];	/* its path; empty: iotrace was built without */
#pragma GCC visibility pop

#endif
