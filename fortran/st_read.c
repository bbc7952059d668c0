/* SPDX-License-Identifier: BSD-3-Clause */
/* st_read.c - READ, begin and end. */
#include "gfortran.h"
#include "desc_READ.h"

IOT_F_TRANSFER(READ, _gfortran_st_read)
