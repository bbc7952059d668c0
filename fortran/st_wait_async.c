/* SPDX-License-Identifier: BSD-3-Clause */
/* st_wait_async.c - WAIT. */
#include "gfortran.h"
#include "desc_WAIT.h"

IOT_F_SIMPLE(WAIT, _gfortran_st_wait_async)
