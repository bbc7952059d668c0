/* SPDX-License-Identifier: BSD-3-Clause */
/* pmpi-stubs.c - dynamic processes: jumps to MPI's functions, see lib/dynamic/stubs.c. */
#include "arch-stub.h"
#include "pmpi.h"

#define IOT_NEXT(name) IOT_STUB("__real_" #name, #name)
IOT_STUBS_BEGIN;
#include "next-names.h"

#define PLAIN(name) IOT_STUB("__real_PMPI_" #name, "PMPI_" #name)
IOT_PMPI_PLAIN(PLAIN)
IOT_PMPI_LARGE(PLAIN)
IOT_STUBS_END;
