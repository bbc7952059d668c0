# SPDX-License-Identifier: BSD-3-Clause
# make bench: what a traced call costs, against a floor of the same run.
EXTRA_DIST += bench/cost.c bench/run
CLEANFILES += bench/cost.plain bench/cost.traced bench/bench.json

BENCH_REPEAT = 7
bench/cost.plain: bench/cost.c
	@$(MKDIR_P) bench
	$(CC) -static -O2 -fno-omit-frame-pointer -o $@ $(srcdir)/bench/cost.c -lpthread
bench/cost.traced: bench/cost.c lib/libiotrace.a compiler-wrappers/iocc
	compiler-wrappers/iocc -static -O2 -o $@ $(srcdir)/bench/cost.c -lpthread
bench: bench/cost.plain bench/cost.traced
	$(srcdir)/bench/run --repeat=$(BENCH_REPEAT) --dir=bench --json=bench/bench.json \
		bench/cost.plain bench/cost.traced
.PHONY: bench
