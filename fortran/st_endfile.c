/* SPDX-License-Identifier: BSD-3-Clause */
/* st_endfile.c - ENDFILE. */
#include "gfortran.h"
#include "desc_ENDFILE.h"

IOT_F_SIMPLE(ENDFILE, _gfortran_st_endfile, iot_f_stands(common->unit, -1))
