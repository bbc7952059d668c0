/* SPDX-License-Identifier: BSD-3-Clause */
#include "libaio.h"
#include "desc_io_destroy.h"

IOT_LIBAIO(io_destroy)
