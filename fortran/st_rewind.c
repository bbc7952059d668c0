/* SPDX-License-Identifier: BSD-3-Clause */
/* st_rewind.c - REWIND. */
#include "gfortran.h"
#include "desc_REWIND.h"

IOT_F_SIMPLE(REWIND, _gfortran_st_rewind, iot_f_stands(common->unit, 0))
