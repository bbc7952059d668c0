# SPDX-License-Identifier: BSD-3-Clause
# Programs with one fault each, the same without it, and clean ones: what iotrace-stat says
# of them.
TESTS += t/answers/answers.t
# saves.t times programs: for make check-long
EXTRA_DIST += \
	t/answers/archive.c \
	t/answers/assets.cc \
	t/answers/audit.cc \
	t/answers/backup.c \
	t/answers/bits.cc \
	t/answers/cells.c \
	t/answers/census.c \
	t/answers/climate.F90 \
	t/answers/columns.c \
	t/answers/commits.c \
	t/answers/density.c \
	t/answers/diagnose.c \
	t/answers/encode.c \
	t/answers/fields.F90 \
	t/answers/frames.c \
	t/answers/grid.c \
	t/answers/heat.F90 \
	t/answers/histogram.c \
	t/answers/images.c \
	t/answers/ingest.c \
	t/answers/join.c \
	t/answers/judge \
	t/answers/ledger.cc \
	t/answers/lines.c \
	t/answers/lookup.c \
	t/answers/mesh.c \
	t/answers/meter.c \
	t/answers/modules.c \
	t/answers/monitor.F90 \
	t/answers/oracle.c \
	t/answers/orbits.F90 \
	t/answers/orders.c \
	t/answers/pages.c \
	t/answers/particles.c \
	t/answers/pipeline.c \
	t/answers/profile.F90 \
	t/answers/programs.sh \
	t/answers/progress.c \
	t/answers/queries.c \
	t/answers/rates.c \
	t/answers/reached \
	t/answers/recent.c \
	t/answers/render.c \
	t/answers/residuals.c \
	t/answers/restart.c \
	t/answers/rows.c \
	t/answers/rows.h \
	t/answers/samples.c \
	t/answers/saves.t \
	t/answers/segments.c \
	t/answers/settings.cc \
	t/answers/sizes.c \
	t/answers/slabs.c \
	t/answers/snapshot.c \
	t/answers/spectra.F90 \
	t/answers/stations.F90 \
	t/answers/status.c \
	t/answers/stripes.c \
	t/answers/tables.c \
	t/answers/tasks.c \
	t/answers/tensor.c \
	t/answers/thumbnails.c \
	t/answers/tiles.cc \
	t/answers/tokens.c \
	t/answers/verdict \
	t/answers/visits.c \
	t/answers/volume.c \
	t/answers/waves.c
