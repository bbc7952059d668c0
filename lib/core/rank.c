/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.c - which rank of a parallel job this process is, as far as the launcher has
   said so in the environment.  MPI knows for certain: see mpi/job.c. */
#include "rank.h"

#include <string.h>

struct iot_rank iot_rank = { .rank = -1 };

/*
 * The nearest first: mpirun within a batch job leaves what Slurm said to its own
 * daemon in place, and PMIx is what others may stand on.
 *
 * Slurm calls the batch script itself task 0 of as many as the job asked for.  Only
 * what srun starts is a task of a step, and salloc's own shell is one of a step with
 * a number that is none.
 */
static const struct {
	const char *rank, *size, *only_with;
} launchers[] = {
	{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL },	/* Open MPI */
	{ "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", NULL },		/* MVAPICH */
	{ "PMI_RANK", "PMI_SIZE", NULL },				/* MPICH's Hydra and its kin */
	{ "PALS_RANKID", NULL, NULL },					/* Cray's PALS */
	{ "ALPS_APP_PE", NULL, NULL },					/* Cray's aprun */
	{ "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", NULL },		/* IBM's jsrun */
	{ "FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL },
	{ "PMIX_RANK", NULL, NULL },
	{ "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID" },
};

static const char *find(char **env, const char *name)
{
	size_t n = strlen(name);

	for (; env && *env; env++)
		if (**env == *name && !strncmp(*env, name, n) && (*env)[n] == '=')
			return *env + n + 1;
	return NULL;
}

/* A decimal number, or -1. */
int32_t iot_env_number(char **env, const char *name)
{
	const char *s = name ? find(env, name) : NULL;
	uint64_t v = 0;
	size_t n = 0;

	for (; s && s[n] >= '0' && s[n] <= '9' && n < 11; n++)
		v = v * 10 + (uint64_t)(s[n] - '0');
	return !n || s[n] || v > INT32_MAX ? -1 : (int32_t)v;
}

/* The first launcher whose numbers can be true. */
void iot_rank_find(char **env)
{
	for (uint32_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]) && iot_rank.rank < 0; i++) {
		int32_t rank = iot_env_number(env, launchers[i].rank), size = iot_env_number(env, launchers[i].size);
		bool has_size = launchers[i].size && find(env, launchers[i].size);

		if (rank < 0 || (has_size && rank >= size) ||
		    (launchers[i].only_with && iot_env_number(env, launchers[i].only_with) < 0))
			continue;
		iot_rank.rank = rank;
		iot_rank.size = has_size ? size : 0;
	}
}
