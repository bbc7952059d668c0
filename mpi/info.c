/* SPDX-License-Identifier: BSD-3-Clause */
/* info.c - hints in words: "key=value;key=value". */
#include "iompi.h"
#include "text.h"

void iot_mpi_info_text(char *buf, uint32_t size, MPI_Info info)
{
	struct iot_text x = { .buf = buf, .cap = size - 1 };
	char key[MPI_MAX_INFO_KEY + 1], value[200];
	int n = 0, found;

	buf[0] = 0;
	if (info == MPI_INFO_NULL || iot_pmpi_Info_get_nkeys(info, &n) != MPI_SUCCESS)
		return;
	for (int i = 0; i < n && x.len < x.cap; i++) {
		if (iot_pmpi_Info_get_nthkey(info, i, key) != MPI_SUCCESS)
			break;
		iot_puts(&x, i ? ";" : "");
		iot_puts(&x, key);
		iot_puts(&x, "=");
		if (iot_pmpi_Info_get(info, key, sizeof(value) - 1, value, &found) == MPI_SUCCESS && found)
			iot_puts(&x, value);
	}
	buf[x.len] = 0;
}
