# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# openmpi.sh - Open MPI for tests, with mpirun or without: as root, on fewer processors than
# ranks, with nothing but shared memory between them.  Included after tap.sh.

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_osc=sm,pt2pt
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_btl OMPI_MCA_pml
export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_osc
# A job removes the directory of all its user's jobs if it is empty, also one that is about to
# begin (it ends then: "mkdir: File exists").  So a test has such a directory, never empty.
# shellcheck disable=SC2154 # tap.sh sets it
OMPI_MCA_orte_tmpdir_base=$T/openmpi
export OMPI_MCA_orte_tmpdir_base
for openmpi_host in "$(uname -n)" "$(uname -n | cut -d. -f1)"; do
	mkdir -p "$OMPI_MCA_orte_tmpdir_base/ompi.$openmpi_host.$(id -u)/stays" || exit 99
done
