/* SPDX-License-Identifier: BSD-3-Clause */
/* st_backspace.c - BACKSPACE. */
#include "gfortran.h"
#include "desc_BACKSPACE.h"

IOT_F_SIMPLE(BACKSPACE, _gfortran_st_backspace, iot_f_fresh(common->unit) ? iot_f_stands(common->unit, -1) : (void)0)
