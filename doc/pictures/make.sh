#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make.sh BUILD - makes doc/report-*.png, the README's pictures of a page: traces job.c with the
# iotrace in BUILD, writes the page, and has Chromium draw it.  It needs Open MPI or MPICH, d3,
# python3-selenium and chromium-driver.
set -e

build=$(cd "$1" && pwd)
here=$(cd "${0%/*}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/pictures.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/run" "$work/logs"
"$build/compiler-wrappers/iompicc" -g -O1 -I"$here/../../include" -o "$work/solver" "$here/job.c"
(cd "$work/run" && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
	IOTRACE_DIR=$work/logs mpirun -n 4 "$work/solver")
# what MPI reads while it starts is not the job's
"$build/tools/iotrace-report" --no-mpi-own --path="^$work/run/" --title=solver -o "$work/page.html" "$work/logs"
sed -i "s,$work/run,/scratch/solver,g" "$work/page.html"
HOME=$work /usr/bin/python3 "$here/shoot.py" "$work/page.html" "$here/.."
