/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - what the options of iotrace-cat ask for. */
#include "config.h"

#include "cat.h"

struct options iot_options = {.blocked = 1000000000};
