/* SPDX-License-Identifier: BSD-3-Clause */
/* otf2-none.c - --to=otf2 where there is no OTF2. */
#include "config.h"

#include "export.h"

const struct format iot_export_otf2 = {.name = "otf2", .missing = "OTF2 (libotf2)"};
