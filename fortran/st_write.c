/* SPDX-License-Identifier: BSD-3-Clause */
/* st_write.c - WRITE, begin and end. */
#include "gfortran.h"
#include "desc_WRITE.h"

IOT_F_TRANSFER(WRITE, _gfortran_st_write)
