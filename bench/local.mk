# SPDX-License-Identifier: BSD-3-Clause
# make bench: what a traced call costs, against a floor of the same run, how
# fast logs are read, and what the compiler wrappers cost a build.
EXTRA_DIST += \
	bench/build \
	bench/calls.c \
	bench/cost.c \
	bench/fork-floor.c \
	bench/hello.c \
	bench/many.c \
	bench/read \
	bench/report \
	bench/run \
	bench/run-many \
	bench/run-transfer \
	bench/start.c \
	bench/sum.c \
	bench/transfer-floor.c \
	bench/transfer.c
CLEANFILES += bench/calls bench/cost.plain bench/cost.traced bench/cost.plain.dynamic bench/cost.traced.dynamic bench/hello.plain bench/hello.traced bench/start bench/sum \
	bench/transfer.plain.dynamic bench/transfer.floor.dynamic bench/transfer.traced.dynamic \
	$(bench_many) bench/fork-floor bench/bench.json

BENCH_REPEAT = 7
BENCH_MANY_REPEAT = 1
bench_many = bench/many.plain bench/many.traced bench/many.plain.dynamic bench/many.traced.dynamic
bench_programs = bench/calls bench/cost.plain bench/cost.traced bench/cost.plain.dynamic bench/cost.traced.dynamic bench/hello.plain bench/hello.traced bench/start bench/sum bench/transfer.plain.dynamic bench/transfer.floor.dynamic bench/transfer.traced.dynamic

bench/%.plain: bench/%.c
	@$(MKDIR_P) bench
	$(CC) -static -O2 -fno-omit-frame-pointer -o $@ $< -lpthread
bench/%.traced: bench/%.c lib/libiotrace.a compiler-wrappers/iocc
	@$(MKDIR_P) bench
	compiler-wrappers/iocc -static -O2 -o $@ $< -lpthread
bench/%.plain.dynamic: bench/%.c
	@$(MKDIR_P) bench
	$(CC) -O2 -fno-omit-frame-pointer -o $@ $< -lpthread
bench/%.traced.dynamic: bench/%.c lib/libiotrace-dynamic.a lib/libiotrace.so compiler-wrappers/iocc
	@$(MKDIR_P) bench
	compiler-wrappers/iocc -O2 -o $@ $< -lpthread
bench/transfer.floor.dynamic: bench/transfer.c bench/transfer-floor.c
	@$(MKDIR_P) bench
	$(CC) -O2 -fno-omit-frame-pointer -o $@ $(srcdir)/bench/transfer.c $(srcdir)/bench/transfer-floor.c -ldl
bench/start: bench/start.c
	@$(MKDIR_P) bench
	$(CC) -O2 -o $@ $<
bench/sum: bench/sum.c
	@$(MKDIR_P) bench
	$(CC) -O2 -o $@ $<
bench/calls: bench/calls.c reader/libiotrace-read.la
	@$(MKDIR_P) bench
	$(LIBTOOL) --silent --tag=CC --mode=link $(CC) -O2 -static -I$(srcdir)/include -Iinclude -o $@ $< \
		reader/libiotrace-read.la
bench/fork-floor: bench/fork-floor.c
	@$(MKDIR_P) bench
	$(CC) -O2 -static -o $@ $<
bench: $(bench_programs) lib/libiotrace.so tools/iotrace-cat tools/iotrace-pack tools/iotrace-run tools/iotrace-stat
	$(srcdir)/bench/run --repeat=$(BENCH_REPEAT) --dir=bench --json=bench/bench.json bench
	$(srcdir)/bench/run-transfer --repeat=$(BENCH_REPEAT) --dir=bench --json=bench/bench.json bench
	$(srcdir)/bench/read --repeat=$(BENCH_REPEAT) --dir=bench --json=bench/bench.json bench
	$(srcdir)/bench/build --repeat=$(BENCH_REPEAT) --dir=bench --json=bench/bench.json compiler-wrappers/iocc '$(IOCC_CC)'
# some ten minutes, BENCH_MANY_REPEAT times: programs that have many processes, images, threads, files, descriptors
bench-many: $(bench_many) bench/fork-floor
	bench/fork-floor 11 300
	$(srcdir)/bench/run-many --repeat=$(BENCH_MANY_REPEAT) --dir=bench --json=bench/bench.json bench
# a page and a database of ten million calls, and the page in a browser: some three minutes, 2 GB
bench-report: bench/cost.traced tools/iotrace-export tools/iotrace-report tools/iotrace-stat
	$(srcdir)/bench/report --dir=bench --json=bench/bench.json bench
.PHONY: bench bench-many bench-report
