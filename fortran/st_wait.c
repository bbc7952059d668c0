/* SPDX-License-Identifier: BSD-3-Clause */
/* st_wait.c - WAIT, as compiled by gfortran before 9. */
#include "gfortran.h"
#include "desc_WAIT.h"

IOT_F_SIMPLE(WAIT, _gfortran_st_wait, (void)0)
