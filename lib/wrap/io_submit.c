/* SPDX-License-Identifier: BSD-3-Clause */
#include "libaio.h"
#include "desc_io_submit.h"

IOT_LIBAIO(io_submit)
