/* SPDX-License-Identifier: BSD-3-Clause */
/* st_flush.c - FLUSH. */
#include "gfortran.h"
#include "desc_FLUSH.h"

IOT_F_SIMPLE(FLUSH, _gfortran_st_flush, (void)0)
