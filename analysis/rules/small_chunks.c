/* SPDX-License-Identifier: BSD-3-Clause */
/* small_chunks.c - a data set of HDF5 that is stored in many small pieces. */
#include "config.h"

#include "rules.h"

/* HDF5 has a cache of chunks, and a buffer for data sets without: what is small here is so in the file, and not in what the
   program moves by a call. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->from->chain && spot->from->chain->way & IOTA_BY_DATASET && iota_small(rule, spot)
		       ? iota_spot_v(spot, IOTA_S_SMALL)
		       : 0;
}

LINES(small_chunks, 238, iota_judge_small, .does = IOTA_THAT(READ) | IOTA_THAT(WRITE), .repeats = true,
	.severity = IOTA_COST, .least = 1000, .share = 50, .size = 4096,
	.title = "data sets in small chunks",
	.when = "A line of the program calls H5Dwrite() or H5Dread() of HDF5, or functions of netCDF that do, and these make "
	  "{least} or more transfers of fewer than {size} bytes, which are at least {share} % of theirs. HDF5 moves a chunk at "
	  "a time, or a row of what is selected, or a data set that is so small, and looks for each chunk in an index.",
	.says = "{count} of {of} transfers of HDF5 moved less than {size} bytes, {bytes} in all",
	.assumes = IOTA_MERGED,
	.remedy = "Have larger chunks, of 64 KiB to 1 MiB, in the shape in which they are used: H5Pset_chunk(), of netCDF "
	  "nc_def_var_chunking(); and a cache that holds those in use: H5Pset_chunk_cache(). Put many small data sets "
	  "into one.")
