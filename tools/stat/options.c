/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - what the options of iotrace-stat ask for. */
#include "config.h"

#include "stat.h"

struct stat_options iot_stat_options = {.top = 15, .sort_by = IOTA_F_SELF};
